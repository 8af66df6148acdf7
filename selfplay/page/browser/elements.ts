// Finds the page's elements by id and creates new ones. All data is inserted as text or attributes, never as markup, so that an
// engine's name cannot inject any.

type Attributes = Record<string, string | number>;
type Child = Node | string | number;

/** What a table's cell holds, with its classes where it has any. */
export type Cell = string | number | [content: string | number, classes: string];

const SVG = 'http://www.w3.org/2000/svg';

/** Returns page.html's element of that id. */
export function place(id: string): HTMLElement {
  return document.getElementById(id)!;
}

/** Returns a new element of HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

/** Returns a new element of a drawing: `svg` or what is in one. */
export function shape<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** Returns a table; no head, no line for it. */
export function table(head: Cell[], rows: Cell[][]): HTMLTableElement {
  const line = (tag: 'th' | 'td', cells: Cell[]): HTMLTableRowElement =>
    element('tr', {}, ...cells.map((cell) => cellOf(tag, cell)));
  const body = rows.map((cells) => line('td', cells));
  return element('table', {}, element('thead', {}, line('th', head)), element('tbody', {}, ...body));
}

function cellOf(tag: 'th' | 'td', cell: Cell): HTMLTableCellElement {
  const [content, classes] = Array.isArray(cell) ? cell : [cell, ''];
  return element(tag, { class: classes }, content);
}

function filled<Made extends Element>(made: Made, attributes: Attributes, children: Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children.map((child) => (typeof child === 'number' ? String(child) : child)));
  return made;
}
