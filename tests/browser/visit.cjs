// Opens pages in Chromium with the network off, and tells as JSON what is there.
// Reads from standard input: {"chromium": ..., "visits": [{"file", "width", "scheme", "print", "axe"}]}.
"use strict";

const { readFileSync } = require("node:fs");
const { chromium } = require("playwright-core");

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
  "--disable-background-networking", "--disable-component-update",
];

// What is cut off, or lies over something else, of all texts and marks that are seen.
function layout() {
  const faults = [];
  const width = document.documentElement.clientWidth;
  const said = (node) => JSON.stringify(node.textContent.trim().slice(0, 40));
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (!node.textContent.trim() || parent.closest("title, .skip")) continue;
    const head = parent.closest("thead");
    if (head && getComputedStyle(head).position === "absolute") continue; // for ears alone
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      if (right - left < 1) continue;
      texts.push({ node, left, right, top, bottom });
      const box = parent.closest(".scroll");
      const end = box ? box.getBoundingClientRect().left + box.scrollWidth : width;
      if (left < -0.5 || right > end + 0.5) faults.push(`cut off: ${said(node)}`);
    }
  }
  texts.sort((a, b) => a.top - b.top);
  texts.forEach((one, i) => {
    for (let k = i + 1; k < texts.length && texts[k].top < one.bottom - 2; k++) {
      const other = texts[k];
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - other.top;
      // lines of small text stand closer than their boxes are high
      if (across > 1 && down > 5) faults.push(`${said(one.node)} lies over ${said(other.node)}`);
    }
  });
  for (const element of document.querySelectorAll("body *:not(svg, svg *, .scroll, nav)")) {
    if (getComputedStyle(element).overflowX === "visible") continue;
    faults.push(`${element.tagName} hides what does not fit`);
  }
  for (const mark of document.querySelectorAll("svg *")) {
    const { left, right } = mark.getBoundingClientRect();
    const box = mark.closest(".scroll");
    const end = box ? box.getBoundingClientRect().left + box.scrollWidth : width;
    if (right > left && (left < -0.5 || right > end + 0.5)) faults.push(`cut off: ${mark.tagName}`);
  }
  if (document.documentElement.scrollWidth > width) faults.push("the page is wider than its window");
  return faults;
}

// The roles and names of a tree of accessibility, in the order in which they are read.
function read(nodes) {
  const known = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines = [];
  const follow = (node) => {
    if (!node.ignored && node.name?.value?.trim()) lines.push(`${node.role.value}: ${node.name.value.trim()}`);
    node.childIds.map((id) => known.get(id)).filter(Boolean).forEach(follow);
  };
  follow(nodes.find((node) => !node.parentId));
  return lines;
}

async function visit(browser, { file, width, scheme, print, axe }) {
  const context = await browser.newContext({
    viewport: { width, height: 900 }, colorScheme: scheme, offline: true,
  });
  const page = await context.newPage();
  const told = [];
  page.on("console", (message) => told.push(message.text()));
  page.on("pageerror", (error) => told.push(String(error)));
  page.on("request", (request) => request.url() === `file://${file}` || told.push(request.url()));
  await page.emulateMedia({ media: print ? "print" : "screen", colorScheme: scheme });
  await page.goto(`file://${file}`);
  const faults = await page.evaluate(layout);
  const result = { told, faults, violations: [], outline: [], sheets: 0 };
  if (print) {
    const sheet = await page.pdf({ preferCSSPageSize: true, printBackground: true });
    result.sheets = sheet.toString("latin1").split("/Type /Page\n").length - 1;
  } else if (axe) {
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => axe.run());
    result.violations = violations.flatMap((rule) =>
      rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 120)} ${node.failureSummary}`));
    const session = await context.newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    result.outline = read(nodes);
  }
  await context.close();
  return result;
}

async function main() {
  const { chromium: program, visits } = JSON.parse(readFileSync(0, "utf8"));
  const browser = await chromium.launch({ executablePath: program, args: FLAGS });
  const results = [];
  for (const one of visits) results.push(await visit(browser, one));
  await browser.close();
  process.stdout.write(JSON.stringify(results));
}

main();
