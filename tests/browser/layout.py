"""What a person sees at once and a program by measuring: text on text, text cut off, turned or too wide."""

from dashboard.server.pages import FIRST

WIDER_THAN_WINDOW = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  return main.scrollWidth - main.clientWidth;
}"""
TURNED_TEXT = """() => [...document.querySelectorAll('.js-plotly-plot text')].filter(text => {
  const turn = (text.getAttribute('transform') || '').match(/rotate\\((-?[0-9.]+)/);
  return turn && Math.abs(parseFloat(turn[1])) % 360 > 1;
}).map(text => text.textContent)"""

TEXTS_IN_THE_WAY = """() => {
  const LEAST = 2.5;  // pixels that letters' boxes may share: a box is higher than its letters.
  const found = [];
  const clip = (box, by) => ({left: Math.max(box.left, by.left), top: Math.max(box.top, by.top),
    right: Math.min(box.right, by.right), bottom: Math.min(box.bottom, by.bottom)});
  const isEmpty = box => box.right - box.left < LEAST || box.bottom - box.top < LEAST;
  const named = element => element.closest('[class*="st-key-"]')?.className.toString().match(/st-key-[\\w-]+/)?.[0] ?? '';
  const layer = element => {
    for (let e = element; e; e = e.parentElement) {
      const position = getComputedStyle(e).position;
      if (position === 'fixed' || position === 'sticky' || e.matches('[data-testid="stSidebar"],[role="tooltip"],[data-baseweb="popover"]')) return e;
    }
    return document.body;
  };
  const texts = [];
  const walker = document.createTreeWalker(document.querySelector('[data-testid="stApp"]'), NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const text = node.data.trim(), element = node.parentElement;
    if (!text || element.closest('canvas,style,script,noscript,[data-testid="stIconMaterial"],[aria-hidden="true"]')) continue;
    if (element.closest('[data-testid="stSidebar"]')?.getBoundingClientRect().right < 50) continue;
    if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    if (element.closest('svg') && parseFloat(getComputedStyle(element).fillOpacity) === 0) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      let box = {left: line.left, top: line.top, right: line.right, bottom: line.bottom};
      if (isEmpty(box)) continue;
      let isCut = false;
      for (let e = element; e && e !== document.body && e.dataset.testid !== 'stMain'; e = e.parentElement) {
        const style = getComputedStyle(e);
        const sides = e.tagName === 'svg' ? ['hidden', 'hidden'] : [style.overflowX, style.overflowY];
        if (sides.every(side => side === 'visible')) continue;
        const by = e.getBoundingClientRect(), seen = clip(box, by);
        const goes = sides.some(side => side === 'auto' || side === 'scroll');
        if (style.textOverflow === 'ellipsis' && box.right > by.right + LEAST) isCut = 'ellipsis';
        else if (!goes && (box.right > by.right + LEAST || box.left < by.left - LEAST || box.bottom > by.bottom + LEAST * 2)) isCut = isCut || 'cut';
        box = seen;
        if (goes) break;
      }
      if (isCut && by1(element)) found.push([isCut, text.slice(0, 60), named(element)]);
      if (!isEmpty(box)) texts.push({text, element, box, layer: layer(element)});
    }
  }
  function by1(element) { const box = element.getBoundingClientRect(); return box.width > 1 && box.height > 1; }
  texts.sort((one, other) => one.box.top - other.box.top);
  for (let i = 0; i < texts.length; i++) {
    for (let j = i + 1; j < texts.length && texts[j].box.top < texts[i].box.bottom - LEAST; j++) {
      if (texts[i].layer !== texts[j].layer || texts[i].element === texts[j].element) continue;
      if (!isEmpty(clip(texts[i].box, texts[j].box)))
        found.push(['overlap', texts[i].text.slice(0, 60) + ' | ' + texts[j].text.slice(0, 60), named(texts[i].element)]);
    }
  }
  return [...new Set(found.map(one => one.join(': ')))];
}"""


def address_of(base: str, page: str) -> str:
    """Return the address of a page, of which the first one has no name."""
    return base if page == FIRST else f"{base}/{page}"
