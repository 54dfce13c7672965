"use strict";
(() => {
  const main = document.querySelector("main");
  const chunks = Array.from(main.querySelectorAll(".chunk"));
  let current = null; // its metadata are shown
  let kept = null; // they stay when the pointer moves on
  document.documentElement.classList.add("scripted");

  const mark = (name, before, after) => {
    if (before) before.classList.remove(name);
    if (after) after.classList.add(name);
    return after;
  };
  const show = (chunk) => { current = mark("current", current, chunk); };
  const keep = (chunk) => { kept = mark("kept", kept, chunk); if (chunk) show(chunk); };
  const chunkOf = (node) => (node instanceof Element ? node.closest(".chunk") : null);

  const letGo = () => {
    keep(null);
    show(null);
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };

  main.addEventListener("pointerover", (event) => {
    const chunk = chunkOf(event.target);
    if (chunk && !kept && event.pointerType !== "touch") show(chunk);
  });
  main.addEventListener("focusin", (event) => {
    const chunk = chunkOf(event.target);
    if (chunk && chunk !== kept) { keep(null); show(chunk); }
  });
  main.addEventListener("click", (event) => {
    const chunk = chunkOf(event.target);
    if (!chunk) return;
    if (event.target.closest("button")) letGo();
    if (event.target.closest(".facts") || String(getSelection())) return;
    const again = chunk === kept;
    keep(again ? null : chunk);
    if (again) chunk.blur();
  });

  const step = (by) => {
    const at = chunks.indexOf(current);
    const next = chunks[at < 0 ? 0 : Math.min(Math.max(at + by, 0), chunks.length - 1)];
    if (!next) return;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "Escape") letGo();
  });

  const followHash = () => {
    const chunk = chunks.find((each) => `#${each.id}` === location.hash);
    if (!chunk) return;
    chunk.focus({ preventScroll: true });
    keep(chunk);
  };
  addEventListener("hashchange", followHash);
  followHash();
})();
