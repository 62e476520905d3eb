/* What the pages of the lab share: the report, which is the JSON text in #report, and all around it. It has seed, date,
   jdk, elapsedSeconds and command, which say how it was made. */
const Page = (() => {
  'use strict';

  const report = JSON.parse(document.getElementById('report').textContent);

  const byId = id => document.getElementById(id);
  const isNumber = x => typeof x === 'number' && Number.isFinite(x);
  const grouped = n => Math.round(n).toLocaleString('en-US');

  /** element('td.low', {tabindex: 0}, child, 'text'). */
  function element(selector, attributes, ...children) {
    const [tag, ...classes] = selector.split('.');
    const node = document.createElement(tag);
    node.classList.add(...classes);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
  }

  /** A table that scrolls in a frame of its own. */
  function table(caption, head, rows) {
    return element('div.scroller', {tabindex: 0, role: 'region', 'aria-label': caption}, element('table.plain', {},
      element('caption.hidden-text', {}, caption),
      element('thead', {}, element('tr', {}, ...head.map(name => element('th', {scope: 'col'}, name)))),
      element('tbody', {}, ...rows)));
  }

  /** Buttons that hide and show series. charts() returns what they act on; changed() follows a click. */
  function legend(label, names, state, charts, changed = () => {}) {
    return element('ul.legend', {'aria-label': label}, ...names.map(name => {
      const button = element('button', {type: 'button', 'aria-pressed': 'true', 'data-series': name});
      button.innerHTML = `${Charts.sample(name)}${Charts.escape(name)}`;
      const all = type => charts().forEach(({chart}) => chart.dispatchAction(
        type.startsWith('legend') ? {type, name} : {type, seriesName: name}));
      button.addEventListener('click', () => {
        const shown = state.hidden.delete(name) || !state.hidden.add(name);
        button.setAttribute('aria-pressed', shown);
        all(shown ? 'legendSelect' : 'legendUnSelect');
        changed();
      });
      button.addEventListener('pointerenter', () => !state.hidden.has(name) && all('highlight'));
      button.addEventListener('pointerleave', () => all('downplay'));
      return element('li', {}, button);
    }));
  }

  /** Fills a section, or removes it if there is nothing to show. */
  function fill(id, nodes) {
    if (nodes.length === 0) {
      byId(id).remove();
    } else {
      byId(`${id}-body`).append(...nodes);
    }
  }

  /** Text first; the charts follow one by one while the browser has nothing better to do, or all at once for print. */
  function startAll(views) {
    const idle = window.requestIdleCallback ?? (work => setTimeout(work, 16));
    const waiting = [...views];
    const next = () => {
      waiting.shift()?.start();
      if (waiting.length > 0) {
        idle(next, {timeout: 500});
      }
    };
    addEventListener('beforeprint', () => waiting.splice(0).forEach(view => view.start()));
    idle(next, {timeout: 500});
  }

  function method() {
    const body = byId('method-body');
    if (report.command) {
      const code = element('pre', {}, element('code', {}, report.command));
      const copy = element('button.plain-button', {type: 'button'}, 'Copy');
      copy.addEventListener('click', async () => {
        getSelection().selectAllChildren(code);
        try {
          await navigator.clipboard.writeText(report.command);
          copy.textContent = 'Copied';
        } catch {
          copy.textContent = 'Selected'; // The clipboard is closed to this page: Ctrl+C is left.
        }
      });
      body.append(element('div.command', {}, code, copy));
    }
    const seconds = report.elapsedSeconds;
    const took = !isNumber(seconds) ? null
      : seconds < 60 ? `${seconds.toFixed(1)} s`
      : seconds < 3600 ? `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
      : `${Math.floor(seconds / 3600)} h ${Math.round(seconds % 3600 / 60)} min`;
    const facts = [['Scale', report.scale && `1/${report.scale}`], ['Seed', report.seed], ['Date', report.date],
      ['Java', report.jdk], ['Time taken', took]].filter(([, value]) => value !== null && value !== undefined);
    body.append(element('dl.facts', {}, ...facts.map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, String(value))))));
  }

  function contents(all) {
    const sections = all.filter(([id]) => byId(id));
    const link = (id, text) => element('a', {href: `#${id}`}, text);
    document.querySelector('.bar-nav').append(...sections.map(([id, name]) => link(id, name)));
    document.querySelector('.side').append(element('ul', {}, ...sections.map(([id, name, items]) => element('li', {},
      link(id, name), ...(items.length ? [element('ul', {}, ...items.map(([to, text]) => element('li', {}, link(to, text))))] : [])))));

    const links = [...document.querySelectorAll('.side a, .bar-nav a')];
    const targets = [...new Set(links.map(a => a.hash.slice(1)))].map(byId);
    const mark = () => {
      const tops = targets.map(t => t.getBoundingClientRect().top);
      const last = Math.max(...tops.filter(top => top < innerHeight * 0.3));
      const current = targets[Math.max(0, tops.indexOf(last))];
      const section = current.closest('section');
      links.forEach(a => {
        const inBar = a.parentElement.className === 'bar-nav';
        const here = a.hash === `#${current.id}` || (inBar && a.hash === `#${section?.id}`);
        if (here && inBar && !a.hasAttribute('aria-current')) {
          a.parentElement.scrollTo({left: a.offsetLeft - a.parentElement.offsetLeft - 60});
        }
        here ? a.setAttribute('aria-current', 'true') : a.removeAttribute('aria-current');
      });
    };
    let due = false;
    addEventListener('scroll', () => {
      if (!due) {
        due = true;
        requestAnimationFrame(() => { due = false; mark(); });
      }
    }, {passive: true});
    mark();
  }

  function themeButton() {
    const button = document.querySelector('button.theme');
    const label = () => {
      button.textContent = Theme.current() === 'dark' ? 'Light' : 'Dark';
      button.setAttribute('aria-label', `Switch to ${button.textContent.toLowerCase()} colours`);
    };
    button.addEventListener('click', Theme.toggle);
    Theme.onChange(() => { label(); Charts.redraw(); });
    label();
  }

  /** Paper is light, and as wide as paper. */
  function printing() {
    const show = (onPaper, theme) => {
      document.documentElement.classList.toggle('printing', onPaper);
      Theme.show(theme);
      Charts.resize();
    };
    addEventListener('beforeprint', () => show(true, 'light'));
    addEventListener('afterprint', () => show(false, Theme.preferred()));
  }

  /** Completes a page, whose sections are lists of id, name, and pairs of id and text. */
  function finish(sections) {
    method();
    contents([['summary', 'Summary', []], ...sections, ['method', 'Method', []]]);
    themeButton();
    printing();
  }

  return {report, byId, isNumber, grouped, element, table, legend, fill, startAll, finish};
})();
