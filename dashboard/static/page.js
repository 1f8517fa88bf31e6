// What Streamlit leaves to the browser: one entry of the history for each act of the visitor's, and a link that is copied.
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
})();
