// Reorder buffer: delivers results in the order of their numbers.

export class Ordered<T> {
  private readonly waiting = new Map<number, T>();
  private readonly onNext: (value: T, index: number) => void;
  private next = 0;

  /** `onNext` is called for 0, 1, 2, … as soon as each is there with all before it. */
  constructor(onNext: (value: T, index: number) => void) {
    this.onNext = onNext;
  }

  /** Takes a result; each number once. */
  add(index: number, value: T): void {
    this.waiting.set(index, value);
    for (let ready = this.waiting.get(this.next); ready !== undefined; ready = this.waiting.get(this.next)) {
      this.waiting.delete(this.next);
      this.onNext(ready, this.next++);
    }
  }
}
