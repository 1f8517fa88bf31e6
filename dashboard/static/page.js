// What Streamlit leaves to the browser: one entry of the history for each act of the visitor's, a link that is copied,
// and ways for the keyboard.
(() => {
  if (window.delve) return; // The page is drawn anew, this file runs once.
  window.delve = true;

  // An act may write the address several times: as another page, then with what was chosen. The first makes an entry.
  let acted = false;
  for (const kind of ["pointerdown", "keydown", "drop"]) addEventListener(kind, () => { acted = true; }, true);
  addEventListener("popstate", () => { acted = false; }, true);
  const { pushState, replaceState } = history;
  history.pushState = history.replaceState = function (state, title, url) {
    const isNew = url != null && new URL(url, location.href).href !== location.href;
    (isNew && acted ? pushState : replaceState).call(history, state, title, url);
    if (isNew) acted = false;
  };

  // The browser lends the clipboard for the time of a click only; the address is the view.
  addEventListener("click", (event) => {
    if (!event.target.closest?.(".st-key-copy-link button") || !navigator.clipboard) return;
    const root = document.documentElement;
    navigator.clipboard.writeText(location.href).then(() => { root.dataset.copied = "yes"; }, () => { delete root.dataset.copied; });
  }, true);

  // The first stop of the tab key leads past the list of pages.
  const skip = Object.assign(document.createElement("a"), { className: "skip-link", href: "#", textContent: "Skip to the page" });
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    const title = document.querySelector("h1");
    title?.setAttribute("tabindex", "-1");
    title?.focus();
  });
  document.body.prepend(skip);

  // What scrolls within its frame is reached by keyboard, in browsers too that would pass it by.
  let waiting;
  const reach = () => {
    for (const part of document.querySelectorAll('[data-testid="stMain"] :is(pre, .stHtml, .stColumn *, [class*="st-key-figure-"])')) {
      const isLarger = part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
      if (isLarger && part.tabIndex < 0 && /auto|scroll/.test(getComputedStyle(part).overflow)) part.tabIndex = 0;
    }
  };
  // Below a page's title Streamlit's headings are of the third level; to readers by ear the second would be missing.
  const level = () => {
    for (const heading of document.querySelectorAll('[data-testid="stHeading"] h3:not([aria-level])')) heading.ariaLevel = "2";
  };
  const soon = () => { level(); waiting ??= setTimeout(() => { waiting = null; reach(); }, 300); };
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", soon);
})();
