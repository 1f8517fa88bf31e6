"use strict";
(() => {
  const root = document.documentElement.dataset.root;
  const text = () => getComputedStyle(document.body).color;
  const plots = [];

  const draw = place => {
    const figure = JSON.parse(document.getElementById(place.dataset.figure).textContent);
    const layout = {...figure.layout, template: window.TEMPLATE, paper_bgcolor: "rgba(0,0,0,0)"};
    layout.font = {...layout.font, color: text()};
    if (place.dataset.width) place.style.minWidth = `${place.dataset.width}px`;
    Plotly.newPlot(place, figure.data, layout, {responsive: true, displaylogo: false, displayModeBar: false});
    plots.push(place);
  };

  const escaped = line => line.replace(/[&<>]/g, sign => ({"&": "&amp;", "<": "&lt;", ">": "&gt;"})[sign]);

  // The picture holds where it comes from, as pictures of commands do.
  const save = async (place, name) => {
    const light = {data: place.data, layout: {...place.layout, paper_bgcolor: "#ffffff"}};
    light.layout.font = {...light.layout.font, color: "#1b232b"};
    const size = {width: Math.round(place.clientWidth), height: place.layout.height};
    const address = await Plotly.toImage(light, {format: "svg", ...size});
    const svg = decodeURIComponent(address.slice(address.indexOf(",") + 1));
    const about = document.getElementById("provenance").textContent.trim();
    const whole = svg.replace(/<svg[^>]*>/, start => `${start}<metadata>${escaped(about)}</metadata>`);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([whole], {type: "image/svg+xml"}));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  };

  for (const place of document.querySelectorAll(".plot")) draw(place);
  for (const button of document.querySelectorAll("button[data-plot]")) {
    button.hidden = false;
    button.addEventListener("click", () => save(document.getElementById(button.dataset.plot), button.dataset.name));
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const place of plots) Plotly.relayout(place, {"font.color": text()});
  });

  const form = document.querySelector(".search"), list = form.querySelector("ul"), told = form.querySelector("output");
  form.hidden = false;
  form.addEventListener("submit", event => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  form.querySelector("input").addEventListener("input", event => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = entry => words.every(word => entry.text.toLowerCase().includes(word));
    // Names with a word that starts as typed come first: "kin" is no part of "ranking" that anybody means.
    const starts = entry => words.every(word => entry.name.toLowerCase().split(/[^\p{L}\p{N}]+/u).some(part => part.startsWith(word)));
    const fitting = words.length ? window.SEARCH_INDEX.filter(fits) : [];
    const found = [...fitting.filter(starts), ...fitting.filter(entry => !starts(entry))].slice(0, 12);
    list.replaceChildren(...found.map(entry => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = root + entry.path;
      link.textContent = `${entry.kind}: ${entry.name}`;
      item.append(link);
      return item;
    }));
    told.textContent = words.length ? (found.length ? `${found.length} shown` : "Nothing found") : "";
  });
})();
