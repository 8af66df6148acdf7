// Declares the part of cm-chessboard that the page uses, because the package has no type declarations.

declare module 'cm-chessboard/src/Chessboard.js' {
  export interface MoveInput {
    type: 'moveInputStarted' | 'validateMoveInput' | 'moveInputCanceled' | 'moveInputFinished' | 'movingOverSquare';
    squareFrom: string;
    squareTo: string;
  }
  export class Chessboard {
    constructor(context: HTMLElement, props: object);
    setPosition(fen: string, animated?: boolean): Promise<void>;
    setOrientation(color: 'w' | 'b', animated?: boolean): Promise<void>;
    getOrientation(): 'w' | 'b';
    getPiece(square: string): string | null | undefined;
    enableMoveInput(handler: (event: MoveInput) => boolean): void;
    // Methods that extensions add
    addMarker(type: object, square: string): void;
    removeMarkers(type?: object): void;
    addArrow(type: object, from: string, to: string): void;
    removeArrows(): void;
    showPromotionDialog(square: string, color: 'w' | 'b', done: (result: { piece?: string }) => void): void;
  }
}
declare module 'cm-chessboard/src/extensions/markers/Markers.js' {
  export class Markers {}
}
declare module 'cm-chessboard/src/extensions/arrows/Arrows.js' {
  export class Arrows {}
}
declare module 'cm-chessboard/src/extensions/promotion-dialog/PromotionDialog.js' {
  export class PromotionDialog {}
}
