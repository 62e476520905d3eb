/* Fills the page from the report, the JSON text in #report. Rates are in percent.

   seed, date, jdk, elapsedSeconds, command   how the report was made
   targets     the limits of FPR at which families are compared
   grounds     stream, records, distinct, memoryBytes, repeats, bitsPerKey, bound (pairs of FPR and FNR, or empty), families: name,
               role ("paper", "plain", "own", "rival" or "exact"), default (whether it is a family with the settings that users get by
               default, whose points the family has, too), points: setting, fpr, fnr, frontier; best: for each
               target setting, fpr, fnr, sd (of FNR between runs, if known), ratio (to the best of the paper's five), or null */
(() => {
  'use strict';

  const MAIN = 0.1; // percent: the target that sorts the tables
  const report = JSON.parse(document.getElementById('report').textContent);
  const grounds = report.grounds ?? [];
  const targets = report.targets ?? [];
  const main = Math.max(0, targets.indexOf(MAIN));
  const {escape} = Charts;

  const byId = id => document.getElementById(id);
  const isNumber = x => typeof x === 'number' && Number.isFinite(x);
  const grouped = n => Math.round(n).toLocaleString('en-US');
  const groundId = i => `ground-${i + 1}`;
  const bits = ground => `${+ground.bitsPerKey.toPrecision(3)}\u00a0bits per key`;
  const names = [...new Set(grounds.flatMap(g => g.families.filter(f => !f.default).map(f => f.name)))];
  Charts.ours([...new Set(grounds.flatMap(g => g.families.filter(f => f.role === 'own').map(f => f.name)))]);

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

  /** Three digits that count. */
  function short(value) {
    return value === 0 ? '0' : value < 1e-4 ? value.toExponential(1) : String(+value.toPrecision(3));
  }

  /** The families of a ground, the lowest FNR at a target first; those that do not reach it last. */
  function ranked(ground, target) {
    const fnr = family => family.best[target]?.fnr ?? Infinity;
    return [...ground.families].sort((a, b) => fnr(a) - fnr(b) || 0);
  }

  const winner = (ground, target) => ranked(ground, target).find(f => f.best[target]);

  function table(caption, head, rows) {
    return element('div.scroller', {tabindex: 0, role: 'region', 'aria-label': caption}, element('table.plain', {},
      element('caption.hidden-text', {}, caption),
      element('thead', {}, element('tr', {}, ...head.map(name => element('th', {scope: 'col'}, name)))),
      element('tbody', {}, ...rows)));
  }

  // Summary

  function summary() {
    if (grounds.length === 0) {
      byId('headline').remove();
      return;
    }
    const settings = grounds.reduce((sum, g) => sum + g.repeats * g.families.filter(f => !f.default).reduce((n, f) => n + f.points.length, 0), 0);
    const streams = new Set(grounds.map(g => g.stream)).size;
    byId('headline').append(element('strong', {}, `${grouped(settings)} runs`),
      ` of ${names.length} structures on ${streams} ${streams === 1 ? 'stream' : 'streams'}, ${grounds.length} `
      + `${grounds.length === 1 ? 'size' : 'sizes'} of memory in all.`);
    byId('overview').append(table('The best of each stream and memory',
      ['stream', 'bits per key', ...targets.map(t => `lowest FNR at FPR \u2264 ${t}\u00a0%`)],
      grounds.map((ground, i) => element('tr', {},
        element('th', {scope: 'row'}, element('a', {href: `#${groundId(i)}`}, ground.stream)),
        element('td', {}, String(+ground.bitsPerKey.toPrecision(3))),
        ...targets.map((_, t) => {
          const best = winner(ground, t);
          return best ? bestCell(best.best[t], best.name) : element('td', {}, '\u2013');
        })))));
  }

  function bestCell(best, name) {
    const detail = [name ?? '', name ? '' : best.setting, name ? '' : `FPR ${short(best.fpr)}\u00a0%`,
      isNumber(best.ratio) ? `\u00d7${best.ratio.toFixed(2)}` : ''].filter(Boolean).join(', ');
    return element('td', {}, `${short(best.fnr)}\u00a0%${isNumber(best.sd) ? ` \u00b1\u00a0${short(+best.sd.toPrecision(2))}` : ''}`, element('span.detail', {}, detail));
  }

  // Streams

  function groundView(ground, number) {
    const state = {hidden: new Set()};
    const host = element('div.chart', {role: 'img', 'aria-label': describe(ground)});
    let entry = null;
    const chart = () => {
      entry ??= Charts.frontier(host, ground, state);
      return entry.chart;
    };
    const series = [...ground.families.map(f => f.name), ...(ground.bound?.length ? ['Information bound'] : [])];
    const legend = element('ul.legend', {'aria-label': 'Families'}, ...series.map(name => {
      const button = element('button', {type: 'button', 'aria-pressed': 'true', 'data-series': name});
      button.innerHTML = `${Charts.sample(name)}${escape(name)}`;
      button.addEventListener('click', () => {
        const shown = state.hidden.delete(name) || !state.hidden.add(name);
        button.setAttribute('aria-pressed', shown);
        chart().dispatchAction({type: shown ? 'legendSelect' : 'legendUnSelect', name});
      });
      button.addEventListener('pointerenter', () => !state.hidden.has(name) && chart().dispatchAction({type: 'highlight', seriesName: name}));
      button.addEventListener('pointerleave', () => chart().dispatchAction({type: 'downplay', seriesName: name}));
      return element('li', {}, button);
    }));
    const title = `${ground.stream}, ${bits(ground)}`;
    const node = element('figure.figure.frontier', {id: groundId(number - 1), 'data-ground': title},
      element('figcaption', {}, element('h3', {}, element('b', {}, `${number}.`), title),
        element('span.panel-note', {}, `${grouped(ground.records)} records, ${grouped(ground.distinct)} distinct, ${grouped(ground.memoryBytes)} bytes, ${ground.repeats} ${ground.repeats === 1 ? 'run' : 'runs'} each`)),
      legend, host,
      table(`The best settings on ${title}`, ['family', ...targets.map(t => `FNR at FPR \u2264 ${t}\u00a0%`)],
        ranked(ground, main).map(family => element('tr', {}, element('th', {scope: 'row'}, family.name),
          ...family.best.map(best => (best ? bestCell(best) : element('td', {}, '\u2013')))))));
    return {node, start: chart};
  }

  function describe(ground) {
    const best = ranked(ground, main).filter(f => f.best[main]).map(f => `${f.name} ${short(f.best[main].fnr)}`);
    return `FNR against FPR on ${ground.stream}, ${bits(ground)}. FNR in percent at an FPR of at most ${MAIN} percent: ${best.join(', ')}.`;
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

  // Method, contents, theme, print

  function method() {
    const body = byId('method-body');
    if (report.command) {
      body.append(element('div.command', {}, element('pre', {}, element('code', {}, report.command))));
    }
    const took = isNumber(report.elapsedSeconds) ? `${Math.round(report.elapsedSeconds)} s` : null;
    const facts = [['Seed', report.seed], ['Date', report.date], ['Java', report.jdk], ['Time taken', took]]
      .filter(([, value]) => value !== null && value !== undefined);
    body.append(element('dl.facts', {}, ...facts.map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, String(value))))));
  }

  function contents() {
    const link = (id, text) => element('a', {href: `#${id}`}, text);
    const sections = [['summary', 'Summary', []],
      ['figures', 'Streams', grounds.map((ground, i) => [groundId(i), `${ground.stream}, ${bits(ground)}`])],
      ['method', 'Method', []]].filter(([id]) => byId(id));
    document.querySelector('.bar-nav').append(...sections.map(([id, name]) => link(id, name)));
    document.querySelector('.side').append(element('ul', {}, ...sections.map(([id, name, items]) => element('li', {},
      link(id, name), ...(items.length ? [element('ul', {}, ...items.map(([to, text]) => element('li', {}, link(to, text))))] : [])))));
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

  function printing() {
    addEventListener('beforeprint', () => {
      document.documentElement.classList.add('printing');
      Theme.show('light');
      Charts.resize();
    });
    addEventListener('afterprint', () => {
      document.documentElement.classList.remove('printing');
      Theme.show(Theme.preferred());
      Charts.resize();
    });
  }

  summary();
  const views = grounds.map((ground, i) => groundView(ground, i + 1));
  if (views.length === 0) {
    byId('figures').remove();
  } else {
    byId('figures-body').append(...views.map(view => view.node));
  }
  startAll(views);
  method();
  contents();
  themeButton();
  printing();
})();
