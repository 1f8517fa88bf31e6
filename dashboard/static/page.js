// What Streamlit leaves to the browser: one history entry for each action of the visitor, a button that copies the link,
// and keyboard navigation.
(() => {
  if (window.delve) return; // The page is drawn again and again, but this file runs once.
  window.delve = true;

  // Remove the token, so that it is not in a copied address; a visitor who has signed in does not need it.
  if (location.hash.startsWith("#token=")) history.replaceState(history.state, "", location.pathname + location.search);

  // An action may write the address several times: for another page, then with its choices. Only the first makes an entry.
  let acted = false;
  for (const kind of ["pointerdown", "keydown", "drop"]) addEventListener(kind, () => { acted = true; }, true);
  addEventListener("popstate", () => { acted = false; }, true);
  const { pushState, replaceState } = history;
  history.pushState = history.replaceState = function (state, title, url) {
    const isNew = url != null && new URL(url, location.href).href !== location.href;
    (isNew && acted ? pushState : replaceState).call(history, state, title, url);
    if (isNew) acted = false;
  };

  // The browser allows access to the clipboard only during a click; the address describes the view.
  addEventListener("click", (event) => {
    if (!event.target.closest?.(".st-key-copy-link button") || !navigator.clipboard) return;
    const root = document.documentElement;
    navigator.clipboard.writeText(location.href).then(() => { root.dataset.copied = "yes"; }, () => { delete root.dataset.copied; });
  }, true);

  // Pictures of a figure are made here, in light colors. Plotly's script is loaded for the first one.
  const script = new URL("../plotly.min.js", document.currentScript.src);
  let loading;
  const load = () => loading ??= new Promise((done, failed) => {
    document.head.append(Object.assign(document.createElement("script"), { src: script, onload: () => done(window.Plotly), onerror: failed }));
  });
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const picture = async (kind, { figure, about, chunk, template, spec }) => {
    const plot = figure ? document.querySelector(`.${figure} .js-plotly-plot`) : null, shown = plot?.getBoundingClientRect();
    const drawn = spec ? JSON.parse(spec) : { data: plot.data, layout: { ...plot.layout, template: JSON.parse(template) } };
    const size = { width: drawn.layout.width ?? shown?.width, height: drawn.layout.height ?? shown?.height };
    const made = await (await load()).toImage(drawn, { format: kind, ...size, scale: kind === "svg" ? 1 : spec ? 300 / 96 : 2 });
    if (kind === "png") {
      const content = bytes(made.split(",")[1]);
      return new Blob([content.slice(0, 33), bytes(chunk), content.slice(33)], { type: "image/png" });
    }
    const said = document.createElement("metadata");
    said.textContent = about;
    const text = decodeURIComponent(made.slice(made.indexOf(",") + 1));
    return new Blob([text.replace(/<svg[^>]*>/, (start) => `${start}<metadata>${said.innerHTML}</metadata>`)], { type: "image/svg+xml" });
  };
  addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-picture]"), kind = button?.dataset.picture;
    if (!button) return;
    button.disabled = true;
    try {
      const href = URL.createObjectURL(await picture(kind, button.parentElement.dataset));
      Object.assign(document.createElement("a"), { href, download: `${button.parentElement.dataset.name}.${kind}` }).click();
      setTimeout(() => URL.revokeObjectURL(href), 60000);
    } finally {
      button.disabled = false;
    }
  });

  // A link to a page within a table opens it in this session, as the list of pages does.
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-page]");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    dispatchEvent(new PopStateEvent("popstate"));
    scrollTo(0, 0);
  });

  // A click on a table heading sorts the rows: numbers with the best first, then in reverse.
  addEventListener("click", (event) => {
    const head = event.target.closest?.("[data-sort]")?.closest("th");
    if (!head) return;
    const body = head.closest("table").tBodies[0], column = head.cellIndex, isName = column === 0;
    const turned = head.ariaSort === "ascending" ? -1 : 1;
    const value = ({ cells }) => isName ? cells[0].textContent : Number(cells[column].dataset.value ?? Infinity * turned);
    const order = (a, b) => (isName ? value(a).localeCompare(value(b)) : value(a) - value(b) || 0) * turned;
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.ariaSort = turned > 0 ? "ascending" : "descending";
    body.append(...[...body.rows].sort(order));
  });

  // A newly opened tab is empty at first: the page keeps its height, because it would otherwise scroll.
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, ({ target }) => {
    const tabs = target.closest?.('[role="tab"]')?.closest('[data-testid="stTabs"]');
    if (tabs) tabs.style.minHeight = `${innerHeight - tabs.getBoundingClientRect().top}px`;
  }, true);

  // Parts that are wider than a sheet of paper are printed smaller: figures and grids with the frame that sets their height.
  const sheet = 700, wide = '[data-testid="stPlotlyChart"] .main-svg, [data-testid="stDataFrame"], .st-key-paper-table table';
  const fit = () => {
    const leaders = [...document.querySelectorAll(".leaders")].filter((one) => one.offsetWidth > one.parentElement.clientWidth);
    // A figure or grid with a dark background is changed to a light one with the same hues.
    for (const ground of document.querySelectorAll(".stPlotlyChart .main-svg:first-child, .stDataFrame canvas")) {
      const [red, green, blue, alpha = 1] = ground.matches("canvas") ? ground.getContext("2d").getImageData(5, 5, 1, 1).data
        : getComputedStyle(ground).backgroundColor.match(/[\d.]+/g).map(Number);
      if (alpha) ground.closest(".stPlotlyChart, .stDataFrame").classList.toggle("dark-ground", red + green + blue < 200);
    }
    for (const part of [...document.querySelectorAll(wide), ...leaders]) {
      const frame = part.matches("table") ? part : part.closest('[data-testid="stElementContainer"]');
      frame.style.zoom = "";
      frame.style.zoom = Math.min(1, sheet / part.getBoundingClientRect().width);
    }
  };
  const unfit = () => {
    for (const part of document.querySelectorAll('[style*="zoom"]')) part.style.zoom = "";
  };
  addEventListener("beforeprint", fit);
  addEventListener("afterprint", unfit);
  matchMedia("print").addEventListener("change", ({ matches }) => matches ? fit() : unfit());

  // The first stop of the Tab key is a link that skips the list of pages.
  const skip = Object.assign(document.createElement("a"), { className: "skip-link", href: "#page-title", textContent: "Skip to the page" });
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    const title = document.querySelector("h1");
    title?.setAttribute("tabindex", "-1");
    title?.focus();
  });
  document.body.prepend(skip);

  // Among options side by side the keyboard starts on the chosen one.
  addEventListener("focusin", ({ target, relatedTarget }) => {
    const group = target.closest?.('[role="radiogroup"]');
    if (!group || group.contains(relatedTarget) || !target.matches(":focus-visible")) return;
    group.querySelector('[aria-checked="true"]')?.focus();
  });

  // Parts that scroll in their frames can be reached by keyboard, also in browsers that would skip them.
  let waiting;
  const reach = () => {
    for (const part of document.querySelectorAll('[data-testid="stMain"] :is(pre, .stHtml, .stColumn *, [class*="st-key-figure-"])')) {
      const isLarger = part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
      if (isLarger && part.tabIndex < 0 && /auto|scroll/.test(getComputedStyle(part).overflow)) part.tabIndex = 0;
    }
  };
  // Streamlit's headings below a page's title have level 3; for screen readers, level 2 would be missing.
  const level = () => {
    document.querySelector("h1")?.setAttribute("id", "page-title");
    for (const heading of document.querySelectorAll('[data-testid="stHeading"] h3:not([aria-level])')) heading.ariaLevel = "2";
  };
  const soon = () => { level(); waiting ??= setTimeout(() => { waiting = null; reach(); }, 300); };
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", soon);
})();
