"use strict";
(() => {
  const match = JSON.parse(document.getElementById("match").textContent);
  const by = (id) => document.getElementById(id);
  const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
  const SHEET = 3;
  const SUITS = { C: ["♣", "clubs"], D: ["♦", "diamonds"], H: ["♥", "hearts"], S: ["♠", "spades"] };
  const RANKS = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };
  let at = 0, eyes = match.eyes, speed = match.speed, timer = 0, shownRound = "";

  const made = (tag, name, text) => {
    const one = document.createElement(tag);
    if (name) one.className = name;
    if (text !== undefined) one.textContent = text;
    return one;
  };
  const spot = () => match.spots[at];
  const last = () => match.spots.length - 1;
  const seen = () => (eyes < 0 ? match.players.length : eyes);

  const card = (text, fresh) => {
    const [glyph, suit] = SUITS[text[1]];
    const rank = text[0] === "T" ? "10" : text[0];
    const one = made("span", `card suit-${text[1].toLowerCase()}${fresh ? " new" : ""}`, rank + glyph);
    one.setAttribute("role", "img");
    one.setAttribute("aria-label", `${RANKS[text[0]] || text[0]} of ${suit}`);
    return one;
  };

  const drawTable = (lines) => {
    const table = by("table");
    table.replaceChildren();
    for (const number of lines) {
      for (const [style, text] of match.lines[number]) table.append(made("span", match.styles[style], text));
      table.append("\n");
    }
  };

  const drawHands = (now, before) => {
    const rows = match.players.map((player, seat) => {
      const row = made("div", now.acts.includes(seat) ? "seat acts" : "seat");
      const who = made("div", "who", (now.acts.includes(seat) ? "▸ " : "") + player.nick);
      if (player.bot) who.append(made("small", "", `${player.bot} bot`));
      const cards = made("div", "cards");
      const open = eyes < 0 || eyes === seat || now.over;
      const had = new Set(before ? before.hands[seat] : now.hands[seat]);
      if (open) {
        for (const one of now.hands[seat]) cards.append(card(one, !had.has(one)));
        if (!now.hands[seat].length) cards.append(made("span", "count", "no cards"));
        if (now.aside[seat].length) {
          cards.append(made("span", "aside", "put aside"));
          for (const one of now.aside[seat]) cards.append(card(one, false));
        }
      } else {
        for (let place = 0; place < now.hands[seat].length; place += 1) {
          const back = made("span", "card back");
          back.setAttribute("aria-hidden", "true");
          cards.append(back);
        }
        const count = now.hands[seat].length;
        cards.append(made("span", "count", count === 1 ? "1 card" : `${count} cards`));
      }
      row.append(who, cards);
      return row;
    });
    by("hands").replaceChildren(...rows);
  };

  const drawMoves = (now) => {
    const key = `${now.round} ${eyes}`;
    const list = by("moves");
    const first = match.spots.findIndex((one) => one.round === now.round);
    if (key !== shownRound) {
      shownRound = key;
      const mine = match.spots.filter((one) => one.round === now.round);
      list.replaceChildren(...mine.map((one, place) => {
        const item = made("li");
        const button = made("button", "", one.said[seen()].map((number) => match.texts[number]).join(" "));
        button.type = "button";
        button.addEventListener("click", () => go(first + place));
        item.append(button);
        return item;
      }));
    }
    [...list.children].forEach((item, place) => {
      if (place === now.move) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
    });
    const here = list.children[now.move];
    if (here && list.offsetParent) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
  };

  const draw = () => {
    const now = spot();
    const before = now.move ? match.spots[at - 1] : null;
    by("where").textContent = `Round ${now.round + 1} of ${match.rounds} · move ${now.move} of ${match.moves[now.round]}`;
    by("turn").textContent = now.acts.length ? `turn ${now.acts.map((seat) => match.players[seat].nick).join(", ")}` : "";
    by("seen").textContent = eyes < 0 ? "all hands open" : `as ${match.players[eyes].nick}`;
    by("said").replaceChildren(...now.said[seen()].map((number) => made("p", "", match.texts[number])));
    drawTable(match.tables[now.table[seen()]]);
    drawHands(now, before);
    drawMoves(now);
    const place = by("place");
    place.value = String(at);
    place.setAttribute("aria-valuetext", by("where").textContent);
  };

  const go = (place) => { at = Math.max(0, Math.min(last(), place)); draw(); };
  const stepRound = (on) => {
    const now = spot();
    const to = now.round + on + (on < 0 && now.move > 0 ? 1 : 0);
    if (to >= match.rounds) return go(last());
    return go(match.spots.findIndex((one) => one.round === Math.max(0, to)));
  };
  const pause = () => {
    clearTimeout(timer);
    timer = 0;
    by("play").textContent = "▶ Play";
  };
  const tick = () => {
    timer = setTimeout(() => {
      go(at + 1);
      if (at === last()) pause(); else tick();
    }, (spot().over ? SHEET : 1) * 1000 / speed);
  };
  const toggle = () => {
    if (timer) { pause(); return; }
    if (at === last()) go(0);
    by("play").textContent = "Pause";
    tick();
  };
  const look = (which) => { eyes = which; by("eyes").value = String(which); draw(); };
  const pace = (one) => { speed = one; by("speed").value = String(one); };
  const faster = (on) => {
    const near = SPEEDS.reduce((best, one) => (Math.abs(one - speed) < Math.abs(best - speed) ? one : best));
    pace(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(near) + on))]);
  };
  const by_hand = (work) => () => { pause(); work(); };

  for (const one of SPEEDS.includes(speed) ? SPEEDS : [...SPEEDS, speed].sort((a, b) => a - b)) {
    const option = made("option", "", `×${one}`);
    option.value = String(one);
    by("speed").append(option);
  }
  [[-1, "all hands"], ...match.players.map((player, seat) => [seat, player.nick])].forEach(([which, name]) => {
    const option = made("option", "", name);
    option.value = String(which);
    by("eyes").append(option);
  });
  by("place").max = String(last());
  by("place").addEventListener("input", (event) => { pause(); go(Number(event.target.value)); });
  by("speed").addEventListener("change", (event) => pace(Number(event.target.value)));
  by("eyes").addEventListener("change", (event) => look(Number(event.target.value)));
  by("first").addEventListener("click", by_hand(() => go(0)));
  by("last").addEventListener("click", by_hand(() => go(last())));
  by("back").addEventListener("click", by_hand(() => go(at - 1)));
  by("next").addEventListener("click", by_hand(() => go(at + 1)));
  by("round-back").addEventListener("click", by_hand(() => stepRound(-1)));
  by("round-next").addEventListener("click", by_hand(() => stepRound(1)));
  by("play").addEventListener("click", toggle);

  const KEYS = {
    ArrowRight: by_hand(() => go(at + 1)), n: by_hand(() => go(at + 1)),
    ArrowLeft: by_hand(() => go(at - 1)), p: by_hand(() => go(at - 1)),
    PageDown: by_hand(() => stepRound(1)), PageUp: by_hand(() => stepRound(-1)),
    Home: by_hand(() => go(0)), End: by_hand(() => go(last())),
    " ": toggle, a: toggle, "+": () => faster(1), "=": () => faster(1), "-": () => faster(-1), 0: () => look(-1),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const tag = event.target.tagName;
    if (tag === "SELECT" || (tag === "INPUT" && event.key !== " ")) return;
    if ((tag === "BUTTON" || tag === "SUMMARY") && event.key === " ") return;
    const digit = Number(event.key);
    const does = KEYS[event.key] || (digit > 0 && digit <= match.players.length ? () => look(digit - 1) : null);
    if (does) { event.preventDefault(); does(); }
  });

  const asked = /^#(\d+)$/.exec(location.hash);
  at = asked ? Math.min(last(), Number(asked[1])) : 0;
  pace(speed);
  look(eyes);
  if (location.hash === "#play") toggle();
})();
