// The summary, the tiles (the legend of all colors) and the charts.

const rowsOfChart = 10;
/** What files and directories were ignored. */
const ignored = {
  duplicate: "duplicate paths", backup: "backups", video: "videos", raw: "camera raw files", "other-format": "of other formats", "other-name": "with other file names", hidden: "hidden", system: "of systems",
  "linked-directory": "links to directories", "linked-file": "links to files",
  output: "outputs", companion: "files beside photos", temporary: "temporary files of Upright", "apple-double": "AppleDouble files of macOS", special: "pipes and devices",
};

function groups(keysOf) {
  const found = new Map();
  for (const file of files) {
    for (const key of keysOf(file)) {
      let group = found.get(key);
      if (!group) found.set(key, group = { key, count: 0, work: 0, parts: {} });
      group.count += 1;
      if (isReport ? answers.includes(file.section) : file.section !== "upright") group.work += 1;
      group.parts[file.section] = (group.parts[file.section] || 0) + 1;
    }
  }
  return [...found.values()];
}

const byWork = (a, b) => b.work - a.work || b.count - a.count || inOrder(natural(a.key), natural(b.key));
const partsText = (group) => kinds.filter((name) => group.parts[name])
  .map((name) => `${number(group.parts[name])} ${actions[name]}`).join(", ");

/** The colored parts of a bar or a column. */
function stack(group, scale, side) {
  return kinds.filter((name) => group.parts[name]).map((name) => {
    const part = element("span", { class: `part ${name}` });
    part.style[side] = `${group.parts[name] / scale * 100}%`;
    return part;
  });
}

/** How many of the lossless photos are so except for images in the file, such as the thumbnail; empty if none is. */
function exceptionsOf(name) {
  const found = name === "lossless" ? files.filter((file) => file.section === name && file.exceptions) : [];
  const names = [...new Set(found.flatMap((file) => file.exceptions))].sort().join(" or the ");
  return found.length === 0 ? "" : ` (${number(found.length)} of these except for the ${names})`;
}

function showAnswer(totals) {
  const part = (name) => totals.parts[name] || 0;
  const done = answers.reduce((sum, name) => sum + part(name), 0);
  const photos = plural(totals.count, "photo");
  const ways = answers.filter((name) => part(name) > 0)
    .map((name) => `${number(part(name))} ${actions[name].replace(`${verb}, `, "")}${exceptionsOf(name)}`).join(", ");
  const would = isReport ? (done === 1 ? "was" : "were") : "would be";
  byId("answer").textContent = totals.count === 0 ? "No photos were found"
    : done > 0 ? `${number(done)} of ${photos} ${would} ${verb}: ${ways}`
    : part("upright") === totals.count ? `${totals.count === 1 ? "The photo is" : `All ${photos} are`} ${actions.upright.replace("already ", "")}`
    : part("decide") > 0 ? `${number(part("decide"))} of ${photos} ${part("decide") === 1 ? "is" : "are"} to decide`
    : `None of ${photos} ${isReport ? "was" : "would be"} ${verb}`;
  // The page may be one of several runs.
  const earlier = data.earlier - files.filter((file) => file.isCopied && (isDone(file) || file.section === "upright")).length;
  const bytes = files.reduce((sum, file) => sum + (file.bytes || 0), 0);
  const others = Object.entries(data.ignored).map(([reason, count]) => `${number(count)} ${ignored[reason] || reason}`);
  const where = plural(new Set(files.map((file) => file.folder)).size, "folder");
  const open = ["decide", "skipped", "interrupted", "failed"].filter((name) => part(name) > 0)
    .map((name) => `${number(part(name))} ${actions[name]}`);
  // As long as nobody decides, some of these are rotated all the same.
  const trusted = isReport ? 0 : files.filter((file) => file.section === "decide" && rotations.includes(file.disposition)).length;
  byId("rest").textContent = [
    open.length > 0 ? `${open.join(", ")}.` : null,
    trusted > 0 ? `Of those to decide, ${number(trusted)} would be rotated, too, as their tag says.` : null,
    totals.count === 0 ? null : `${where}${bytes > 0 ? `, ${size(bytes)}` : ""}${common === "" ? "" : `, in ${common}`}.`,
    others.length > 0 ? `Ignored: ${others.join(", ")}.` : null,
    earlier > 0 ? `${plural(earlier, "file")} more ${earlier === 1 ? "was" : "were"} done in an earlier run.` : null,
    data.interrupted ? "The run was interrupted: files that are not shown were not started." : null,
  ].filter((text) => text).join(" ");
  if (data.earlierPage) byId("rest").append(" The page of other runs is ", element("a", { href: data.earlierPage.link }, data.earlierPage.name), ".");
}

/** How a result was checked before it was written. */
const proofs = {
  restored: "the identical original was restored from it, byte for byte",
  reference: "its coefficients are those of TurboJPEG's lossless transform",
  coefficients: "it has the expected coefficients, but the identical original cannot be restored from it",
  original: "its hash is that of the recorded original",
  none: "it was not checked",
};

function showProof() {
  const checked = Object.entries(proofs).map(([proof, text]) => [proof, text, files.filter((file) => file.proof === proof).length])
    .filter(([, , count]) => count > 0);
  byId("proof").textContent = checked.map(([proof, text, count]) => {
    const results = `${plural(count, "result")} ${count === 1 ? "was" : "were"}`;
    return proof === "none" ? `${results} not checked.` : `${results} checked${count === 1 ? "" : ", each"} before it was written: ${text}.`;
  }).join(" ");
  if (!data.undo) return;
  byId("undo").append(element("p", {}, `As of ${dateOf(data.created)}: ${data.undo.text}`));
  if (!data.undo.command) return;
  const { command } = data.undo;
  byId("undo").append(element("div", {}, element("code", {}, command),
    button({}, "Copy this command", () => copy(command, "Command copied"))));
}

function showTiles(totals) {
  byId("bar").append(...stack(totals, totals.count, "width"));
  const add = (name, count, label) => {
    const tile = button({ class: "tile" }, "", () => choose({ show: name }, true));
    tile.append(element("span", { class: "number" }, number(count)), element("span", { class: "label" }, label));
    byId("tiles").append(element("li", { class: name }, tile));
  };
  for (const name of kinds.filter((name) => totals.parts[name])) add(name, totals.parts[name], actions[name]);
}

/** A column for each year, from the first to the last. */
function showYears() {
  const found = new Map(groups((file) => (file.year ? [file.year] : [])).map((group) => [group.key, group]));
  if (found.size < 2) return;
  const known = [...found.keys()].map(Number);
  const [first, last] = [Math.min(...known), Math.max(...known)];
  const tallest = Math.max(...[...found.values()].map((group) => group.count));
  const step = Math.ceil((last - first + 1) / (innerWidth < 640 ? 8 : 20));
  const columns = element("div", { class: "columns" });
  for (let year = first; year <= last; year += 1) {
    const group = found.get(String(year));
    const label = element("span", { class: "year" }, (year - first) % step === 0 && (step === 1 || last - year >= step / 2) ? String(year) : "");
    const text = group ? `${year}: ${plural(group.count, "photo")}, ${partsText(group)}` : `${year}: no photos`;
    const column = group
      ? button({ class: "column", title: text, "aria-label": text }, "", () => choose({ year: String(year), show: "all" }, true))
      : element("span", { class: "column", title: text });
    const plot = element("span", { class: "plot" }, ...(group ? stack(group, tallest, "height").reverse() : []));
    column.append(plot, label);
    columns.append(column);
  }
  byId("years").append(element("h3", {}, "By year of capture"),
    element("p", { class: "scale" }, `The tallest column is ${plural(tallest, "photo")}.`), columns);
}

function chart(title, all, name, choice) {
  if (all.length < 2) return null;
  const largest = Math.max(...all.map((group) => group.count));
  const row = (group) => {
    const bar = element("span", { class: "stack", title: partsText(group) }, ...stack(group, largest, "width"));
    return element("tr", {},
      element("th", { scope: "row" }, button({}, name(group.key), () => choose(choice(group.key), true))),
      element("td", { class: "plotted" }, bar, element("span", { class: "hidden" }, partsText(group))),
      element("td", {}, group.work === 0 ? "–" : number(group.work)), element("td", {}, number(group.count)));
  };
  const body = element("tbody", {}, ...all.slice(0, rowsOfChart).map(row));
  const table = element("table", {}, element("caption", {}, title),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Name"),
      element("th", { scope: "col", class: "plotted" }, element("span", { class: "hidden" }, isReport ? "What was done" : "What would be done")),
      element("th", { scope: "col" }, isReport ? sentence(verb) : "Needs work"), element("th", { scope: "col" }, "Files"))), body);
  if (all.length > rowsOfChart) {
    const last = element("tr", {}, element("td", { colspan: "4" }));
    last.firstChild.append(button({}, `${number(all.length - rowsOfChart)} more`, () => {
      const rest = all.slice(rowsOfChart, rowsOfChart + 1000).map(row);
      last.replaceWith(...rest);
      rest[0].querySelector("button").focus();
    }));
    body.append(last);
  }
  return element("div", { class: "chart" }, table);
}

function showOverview() {
  const totals = groups(() => ["all"])[0] || { count: 0, parts: {} };
  showAnswer(totals);
  showProof();
  for (const id of ["bar", "files"]) byId(id).hidden = totals.count === 0;
  showTiles(totals);
  showYears();
  const all = [
    chart("Cameras", groups((file) => (file.bytes ? [file.camera || "unknown"] : [])).sort(byWork),
      (camera) => camera, (camera) => ({ camera, show: "all" })),
    chart("Folders", groups((file) => [file.folder]).sort(byWork),
      folderName, (folder) => ({ folder, show: "all" })),
    chart("Reasons to look", groups((file) => file.risks || []).sort(byWork),
      (reason) => sentence(reasonName(reason)), (reason) => ({ reason, show: "all" })),
    chart("Files with", groups((file) => file.traits || []).sort(byWork),
      (trait) => sentence(trait), (trait) => ({ trait, show: "all" })),
  ];
  byId("charts").append(...all.filter((table) => table !== null));
  byId("compare-key").hidden = !files.some(isCompared);
  byId("overview").hidden = !byId("charts").hasChildNodes() && !byId("years").hasChildNodes();
  // In a narrow window the first photo comes before the tables.
  byId("tables").open = !isNarrow();
  byId("terms").hidden = !files.some((file) => file.disposition === "re-encoded" || file.text?.match(/transpose|transverse/i));
  byId("made").textContent = `${dateOf(data.created)}, upright ${data.version}`;
  const fact = (term, value) => byId("settings").append(element("dt", {}, term), element("dd", {}, value));
  fact("Command", element("code", {}, data.command));
  for (const run of data.earlierRuns || []) fact(`Command of the run before, ${dateOf(run.created)}`, element("code", {}, run.command));
  fact("Policies", Object.entries(data.policies).map(([option, value]) =>
    `${sentence(option.slice(2).replaceAll("-", " "))}: ${value}`).sort().join(", "));
}
