/* Fills the page from the report. Rates are in percent, as the paper prints them; any of the four lists may be missing or
   empty, and any rate null.

   scale       the divisor of the records and of the memory
   tables      id, records ("1B"), distinctPercent, simulatedRecords, csv (optional, a file beside the page), rows:
               memoryMb, algorithm, k, variant ("published" or "corrected"), note, publishedFpr, publishedFnr, fpr, fnr,
               fprSe, fnrSe (standard errors), fprDeviation, fnrDeviation (percent of the published), within
   figures     id, title, panels: measure ("fpr", "fnr" or "load"), series: name, role ("paper", "plain" or "bound"),
               points: [records, percent]
   findings    title, text (blank lines part paragraphs), columns, rows (lists of texts)
   deviations  worst first: table, cell, rate, published, measured, deviation, standardErrors, within */
(() => {
  'use strict';

  const TOLERANCE = 2; // percent
  const STANDARD_ERRORS = 3;
  const STEPS = [0.25, 0.5, 1, 2]; // percent of deviation from which the shades begin
  const FIRST_DEVIATIONS = 20;
  const RATES = [
    {key: 'fpr', name: 'FPR'},
    {key: 'fnr', name: 'FNR'},
  ];

  const {report, byId, isNumber, grouped, element} = Page;
  const tables = report.tables ?? [];
  const figures = report.figures ?? [];
  const findings = report.findings ?? [];
  const deviations = report.deviations ?? [];
  const {percent, records, escape} = Charts;

  const slug = text => String(text).replace(/[^A-Za-z0-9]+/g, '-');
  const tableId = table => `table-${slug(table.id)}`;
  const figureId = figure => `figure-${slug(figure.id)}`;

  function html(text) {
    const template = document.createElement('template');
    template.innerHTML = text.trim();
    return template.content;
  }

  /** -0.234 as −0.23 %. */
  function signed(value, digits = 2, unit = '\u00a0%') {
    if (!isNumber(value)) {
      return '\u2013';
    }
    const text = Math.abs(value).toFixed(digits);
    const sign = Number(text) === 0 ? '\u00b1' : value < 0 ? '\u2212' : '+';
    return sign + text + unit;
  }

  /** One rate of a row: what was published, what was measured, and how far they are apart. */
  function rateOf(row, rate) {
    const suffix = rate.name === 'FPR' ? 'Fpr' : 'Fnr';
    const published = row[`published${suffix}`];
    const measured = row[rate.key];
    const error = row[`${rate.key}Se`];
    const deviation = row[`${rate.key}Deviation`];
    const apart = isNumber(published) && isNumber(measured) ? measured - published : null;
    const errors = apart !== null && error > 0 ? apart / error : null;
    const within = !isNumber(deviation) || Math.abs(deviation) <= TOLERANCE
      || (errors !== null && Math.abs(errors) <= STANDARD_ERRORS);
    return {published, measured, error, deviation, errors, within};
  }

  const isCorrected = row => row.variant === 'corrected';

  function tableTitle(table) {
    const stream = `${table.records} records, ${table.distinctPercent}\u00a0% distinct`;
    const only = onlyAlgorithm(table);
    return only ? `${only} by hashes, ${stream}` : stream;
  }

  /** The algorithm of a table that varies k, or null for one that compares algorithms. */
  function onlyAlgorithm(table) {
    const published = table.rows.filter(row => !isCorrected(row));
    const names = new Set(published.map(row => row.algorithm));
    const hashes = new Set(published.map(row => row.k));
    return names.size === 1 && hashes.size > 1 ? published[0].algorithm : null;
  }

  function hashRange(table) {
    const ks = table.rows.map(row => row.k);
    return `k\u00a0=\u00a0${Math.min(...ks)}\u2013${Math.max(...ks)}`;
  }

  // Summary

  function summary() {
    const cells = tables.flatMap(table => table.rows.filter(row => !isCorrected(row)).map(row => ({table, row})));
    if (cells.length === 0) {
      byId('headline').remove();
      return;
    }
    const worst = cells.map(({row}) => Math.max(
      ...RATES.map(rate => Math.abs(rateOf(row, rate).deviation)).filter(isNumber)));
    const known = worst.filter(isNumber);
    const within = cells.filter(({row}) => row.within).length;
    const share = within === cells.length
      ? (cells.length === 1 ? 'The one cell lies' : `All ${cells.length} cells lie`)
      : `${within} of ${cells.length} cells lie`;
    const middle = isNumber(report.medianDeviation) ? percentOf(report.medianDeviation) : null;
    byId('headline').append(
      element('strong', {}, share.replace(/ lies?$/, '')),
      `${share.match(/ lies?$/)[0]} within 2\u00a0% of the published figures or three standard errors`,
      ...(middle ? ['; the median deviation is ', element('strong', {}, middle), '.'] : ['.']));

    const at = worst.indexOf(Math.max(...known));
    const far = cells[at];
    const simulated = [...new Set(tables.map(table => table.simulatedRecords).filter(isNumber))].sort((a, b) => b - a);
    const tiles = [
      ['Cells that agree', `${within}<small> of ${cells.length}</small>`,
        `${counted(tables.length, 'table')}, ${counted(2 * cells.length, 'rate')}`],
      ['Median deviation', middle ?? '\u2013', 'of a cell, the worse of FPR and FNR'],
      ['Largest deviation', far ? percentOf(worst[at]) : '\u2013', far ? `${cellName(far.table, far.row)}, ${far.table.id}` : ''],
      ['Size of the trials', report.scale === 1 ? 'full' : `1/${report.scale}`, simulated.length
        ? `${simulated.map(records).join(' and ')} records each${report.scale === 1 ? '' : ', same bits per key'}` : ''],
    ];
    byId('tiles').append(...tiles.map(([name, big, more]) => {
      const tile = element('div', {}, element('dt', {}, name), element('dd.big'), element('dd.more', {}, more));
      tile.querySelector('.big').innerHTML = big;
      return tile;
    }));
  }

  const percentOf = value => `${value.toFixed(2)}\u00a0%`;
  const counted = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`;

  const readingName = row => row.note ?? `${row.algorithm} corrected`;

  function cellName(table, row) {
    const name = isCorrected(row) ? readingName(row) : row.algorithm;
    return `${name}${isNumber(row.k) && row.k > 0 ? ` k\u00a0=\u00a0${row.k}` : ''}, ${row.memoryMb}\u00a0MB`;
  }

  function overview() {
    const points = tables.flatMap(table => table.rows.filter(row => !isCorrected(row)).flatMap(row =>
      RATES.map(rate => ({...rateOf(row, rate), rate: rate.name, algorithm: row.algorithm,
        cell: cellName(table, row), title: tableTitle(table), target: cellId(table, row, rate)}))))
      .filter(p => p.published > 0 && isNumber(p.deviation))
      .map(p => ({...p, deviationText: exact(p)}));
    if (points.length < 2) {
      return;
    }
    const host = element('div.chart', {role: 'img', 'aria-label':
      `Deviation of ${points.length} reproduced rates from the published ones; the same numbers are in the tables below.`});
    const legend = element('ul.legend');
    byId('overview').append(element('figure.figure.overview', {},
      element('figcaption', {}, element('h3', {}, 'Every published rate, and how far the reproduction is from it')),
      legend, host,
      element('p.panel-note', {}, 'Grey: within 2\u00a0%. Filled marks are FPR, hollow ones FNR. Click a mark to see its cell.')));
    const {names} = Charts.overview(host, points, point => {
      const cell = byId(point.target);
      cell.scrollIntoView({block: 'center', inline: 'center'});
      cell.focus({preventScroll: true});
    });
    legend.classList.add('marks');
    legend.append(...names.map(name => {
      const item = element('li');
      item.innerHTML = `${Charts.mark(name, true)}${Charts.mark(name, false)}${escape(name)}`;
      return item;
    }));
  }

  // Tables

  function scaleKey() {
    // Below each swatch the deviation at its right edge.
    const swatch = (kind, edge) => `<li class="${kind}"><span>${edge}</span></li>`;
    const low = STEPS.map((from, i) => swatch(`low-${i + 1}`, `\u2212${from}`)).reverse();
    const high = STEPS.map((from, i) => swatch(`high-${i + 1}`, i < 3 ? `+${STEPS[i + 1]}` : ''));
    const steps = `<div><div>reproduced below&ensp;\u2190&ensp;deviation, %&ensp;\u2192&ensp;above</div>
      <ol class="steps" aria-label="Shades, by deviation in percent">
      ${low.join('')}${swatch('even', `+${STEPS[0]}`)}${high.join('')}</ol></div>`;
    byId('scale-key').append(html(`${steps}<div><span class="key-box"></span>beyond 2\u00a0% and three standard errors</div>`));
  }

  function shade(deviation) {
    const step = STEPS.filter(from => Math.abs(deviation) > from).length;
    return step === 0 ? null : `${deviation < 0 ? 'low' : 'high'}-${step}`;
  }

  const columnKey = row => `${row.variant ?? 'published'}|${row.algorithm}|${row.k ?? ''}`;
  const cellId = (table, row, rate) => `${tableId(table)}-${slug(columnKey(row))}-${row.memoryMb}-${rate.key}`;

  function columnsOf(table) {
    const columns = new Map();
    for (const row of table.rows) {
      columns.set(columnKey(row), row);
    }
    const list = [...columns.entries()].map(([key, row]) => ({key, row, corrected: isCorrected(row)}));
    return [...list.filter(c => !c.corrected), ...list.filter(c => c.corrected)];
  }

  function tableView(table, number) {
    const columns = columnsOf(table);
    const only = onlyAlgorithm(table);
    const corrected = columns.filter(c => c.corrected).length;
    const first = columns.findIndex(c => c.corrected);
    const memories = [...new Set(table.rows.map(row => row.memoryMb))].sort((a, b) => a - b);
    const rows = new Map(table.rows.map(row => [`${columnKey(row)}|${row.memoryMb}`, row]));
    const border = i => (i === first ? '.first-corrected' : '');

    const label = column => {
      if (column.corrected) {
        return readingName(column.row);
      }
      return only ? `k\u00a0=\u00a0${column.row.k}` : column.row.algorithm;
    };
    const head = element('thead');
    if (corrected > 0) {
      head.append(element('tr', {},
        element('td.corner', {colspan: 2}),
        element('th.group', {scope: 'colgroup', colspan: columns.length - corrected}, element('span', {}, 'as the paper measured it')),
        element('th.group.first-corrected', {scope: 'colgroup', colspan: corrected}, element('span', {}, 'as it ought to be'))));
    }
    head.append(element('tr', {},
      element('th.corner', {scope: 'col'}, 'Space'),
      element('th.corner-rate', {scope: 'col'}, element('span.hidden-text', {}, 'Rate, percent'), '%'),
      ...columns.map((c, i) => element(`th${c.corrected ? '.wrap' : ''}${border(i)}`, {scope: 'col'}, label(c)))));

    const bodies = memories.map(memory => element('tbody', {}, ...RATES.map((rate, r) => element(`tr.${rate.key}`, {},
      ...(r === 0 ? [element('th.memory', {scope: 'rowgroup', rowspan: 2}, `${memory} MB`)] : []),
      element('th.rate', {scope: 'row'}, rate.name),
      ...columns.map((column, i) => {
        const row = rows.get(`${column.key}|${memory}`);
        return row ? cellView(table, row, rate, border(i)) : element(`td.corrected.none${border(i)}`, {}, '\u2013');
      })))));

    const published = table.rows.filter(row => !isCorrected(row));
    const within = published.filter(row => row.within).length;
    const title = element('h3', {}, element('b', {}, `Table ${number}`), tableTitle(table));
    const caption = element('caption.hidden-text', {}, `${tableTitle(table)}: published and reproduced rates in percent`);
    const grid = element('table.grid', {}, caption, head, ...bodies);
    walkable(grid);
    return element('div.report-table', {id: tableId(table), 'data-table': table.id},
      element('div.caption', {}, title, element('span.id', {}, table.id),
        ...(isNumber(table.simulatedRecords) ? [element('span.more', {}, `${grouped(table.simulatedRecords)} records simulated`)] : []),
        ...(table.csv ? [element('a.more', {href: table.csv}, 'CSV')] : []),
        element('span.verdict', {}, `${within} of ${published.length} agree`)),
      element('div.scroller', {}, grid));
  }

  function cellView(table, row, rate, border) {
    const value = rateOf(row, rate);
    const fixed = isCorrected(row);
    const cell = element(`td${border}`, {id: cellId(table, row, rate), tabindex: -1});
    const deviation = fixed ? '' : signed(value.deviation, 1, '');
    cell.append(element('div.cell', {},
      element('span.published', {}, ...(fixed ? ['\u00a0'] : [element('span.hidden-text', {}, 'published '), ...digits(value.published)])),
      element('span.reproduced', {}, element('span.hidden-text', {}, fixed ? 'measured ' : 'reproduced '), ...digits(value.measured)),
      ...(fixed ? [] : [element('span.deviation', {}, deviation)])));
    if (fixed) {
      cell.classList.add('corrected');
    } else {
      const step = isNumber(value.deviation) ? shade(value.deviation) : null;
      if (step) {
        cell.classList.add(step);
      }
      if (row.within === false && (!value.within || RATES.every(r => rateOf(row, r).within))) {
        cell.classList.add('outside');
      }
    }
    cell.tip = () => cellTip(table, row, rate, value, fixed);
    return cell;
  }

  /** Four digits that count; the style sheet puts the points of a column under each other. */
  function digits(value) {
    if (!isNumber(value)) {
      return [element('span.none', {}, '\u2013'), element('span.fraction')];
    }
    const places = value >= 10 || value === 0 ? 2 : value >= 1 ? 3 : 4;
    const [whole, fraction] = value.toFixed(places).split('.');
    return [element('span.whole', {}, whole), element('span.fraction', {}, `.${fraction}`)];
  }

  function exact(value) {
    const errors = value.errors === null ? '' : ` (${signed(value.errors, 1, '')} standard errors)`;
    return signed(value.deviation) + errors;
  }

  function cellTip(table, row, rate, value, fixed) {
    // Two digits of the error, and the rate to the same place.
    const places = value.error > 0 ? Math.min(7, Math.max(2, 1 - Math.floor(Math.log10(value.error)))) : 4;
    const measured = isNumber(value.measured) ? value.measured.toFixed(places) : '\u2013';
    const error = isNumber(value.error) ? ` \u00b1 ${value.error.toFixed(places)}` : '';
    const verdict = value.within ? 'Within 2\u00a0% or three standard errors.' : 'Beyond 2\u00a0% and three standard errors.';
    const note = row.note ? `${row.note[0].toUpperCase()}${row.note.slice(1)}.`.replace(/\.\.$/, '.') : '';
    const facts = [
      [fixed ? 'published, for the other' : 'published', isNumber(value.published) ? `${value.published} %` : '\u2013'],
      [fixed ? 'measured' : 'reproduced', `${measured}${error} %`],
      [fixed ? 'difference' : 'deviation', exact(value)],
    ];
    return `<strong>${escape(cellName(table, row))}, ${rate.name}</strong>
      <dl>${facts.map(([name, text]) => `<dt>${name}</dt><dd>${escape(text)}</dd>`).join('')}</dl>
      <p>${escape([fixed ? '' : verdict, note].filter(Boolean).join(' '))}</p>`;
  }

  /** One stop of the Tab key for a table, arrow keys within it. */
  function walkable(grid) {
    const lines = [...grid.querySelectorAll('tbody tr')].map(tr => [...tr.querySelectorAll('td')]);
    const cells = lines.flat().filter(cell => cell.tip);
    if (cells.length === 0) {
      return;
    }
    cells[0].tabIndex = 0;
    grid.addEventListener('focusin', event => {
      cells.forEach(cell => { cell.tabIndex = cell === event.target ? 0 : -1; });
    });
    const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
    grid.addEventListener('keydown', event => {
      const step = steps[event.key];
      if (!step) {
        return;
      }
      event.preventDefault();
      let y = lines.findIndex(line => line.includes(event.target));
      let x = lines[y].indexOf(event.target);
      do {
        y += step[0];
        x += step[1];
      } while (lines[y]?.[x] && !lines[y][x].tip);
      lines[y]?.[x]?.focus();
    });
  }

  function tips() {
    const tip = byId('cell-tip');
    let owner = null;
    const show = cell => {
      if (owner && owner !== cell) {
        owner.removeAttribute('aria-describedby');
      }
      owner = cell;
      tip.innerHTML = cell.tip();
      tip.hidden = false;
      cell.setAttribute('aria-describedby', 'cell-tip');
      const box = cell.getBoundingClientRect();
      const own = tip.getBoundingClientRect();
      const left = Math.min(Math.max(8, box.left + box.width / 2 - own.width / 2), innerWidth - own.width - 8);
      const above = box.top - own.height - 8;
      tip.style.left = `${left}px`;
      tip.style.top = `${above > 56 ? above : box.bottom + 8}px`;
    };
    const hide = () => {
      owner?.removeAttribute('aria-describedby');
      owner = null;
      tip.hidden = true;
    };
    const cellOf = event => {
      const cell = event.target.closest?.('.grid td');
      return cell?.tip ? cell : null;
    };
    const focused = () => (document.activeElement?.tip ? document.activeElement : null);
    const body = byId('tables-body');
    body.addEventListener('pointerover', event => (cellOf(event) ? show(cellOf(event)) : focused() ? show(focused()) : hide()));
    body.addEventListener('pointerleave', () => (focused() ? show(focused()) : hide()));
    body.addEventListener('focusin', event => cellOf(event) && show(cellOf(event)));
    body.addEventListener('focusout', hide);
    addEventListener('keydown', event => event.key === 'Escape' && hide());
    addEventListener('scroll', () => (focused() ? show(focused()) : hide()), {passive: true, capture: true});
  }

  // Figures

  function figureView(figure, number) {
    const state = {scale: 'log', hidden: new Set()};
    const names = [...new Set(figure.panels.flatMap(panel => panel.series.map(s => s.name)))];
    const logs = figure.panels.some(panel => panel.measure !== 'load');
    const views = figure.panels.map(panel => ({
      panel,
      host: element('div.chart', {role: 'img', 'aria-label': describe(figure, panel)}),
      note: element('p.panel-note'),
    }));
    const note = () => views.forEach(view => { view.note.textContent = zeros(view.panel, state); });
    const charts = () => { // Drawn when first needed.
      for (const view of views.filter(each => !each.entry)) {
        view.entry = Charts.panel(view.host, view.panel, state);
        view.entry.chart.group = figure.id;
        echarts.connect(figure.id);
      }
      return views.map(view => view.entry);
    };

    const scales = ['log', 'linear'].map(scale => {
      const button = element('button', {type: 'button', 'data-scale': scale, 'aria-pressed': scale === state.scale},
        scale === 'log' ? 'Log' : 'Linear');
      button.addEventListener('click', () => {
        state.scale = scale;
        scales.forEach(other => other.setAttribute('aria-pressed', other === button));
        charts().forEach(entry => entry.draw());
        note();
      });
      return button;
    });
    const reset = element('button.plain-button', {type: 'button'}, 'Reset zoom');
    reset.addEventListener('click', () => charts().forEach(({chart}) =>
      chart.dispatchAction({type: 'dataZoom', start: 0, end: 100})));

    const node = element('figure.figure', {id: figureId(figure), 'data-figure': figure.id},
      element('figcaption', {},
        element('h3', {}, element('b', {}, `Figure ${number}`), figure.title),
        element('div.controls', {},
          ...(logs ? [element('div.switch', {role: 'group', 'aria-label': 'Scale of the rates'}, ...scales)] : []), reset)),
      Page.legend('Series', names, state, charts, note),
      element('div.panels', {}, ...views.map(view => element('div.panel', {'data-measure': view.panel.measure}, view.host, view.note))));
    note();
    return {node, start: charts};
  }

  function shortTitle(figure) {
    const short = figure.title.replace(' records', '').replace(' distinct', '');
    const load = figure.panels.every(panel => panel.measure === 'load');
    return load && !/load/i.test(short) ? `${short}, load` : short;
  }

  function describe(figure, panel) {
    const last = panel.series.map(s => `${s.name} ${percent(s.points[s.points.length - 1]?.[1])}`);
    return `${figure.title}: ${panel.measure.toUpperCase()} along the stream. At its end, in percent: ${last.join(', ')}.`;
  }

  function zeros(panel, state) {
    const names = panel.series
      .filter(s => !state.hidden.has(s.name) && s.points.length > 0 && s.points.every(p => p[1] === 0))
      .map(s => s.name);
    return names.length > 0 && panel.measure !== 'load' && state.scale === 'log'
      ? `0 throughout, which a log axis cannot show: ${names.join(', ')}.` : '';
  }

  // Findings, deviations

  /** 2^32 as it is written on paper. */
  function powers(text) {
    return text.split(/\^(\d+)/).map((part, i) => (i % 2 ? element('sup', {}, part) : part));
  }

  function findingView(finding, number) {
    const rows = finding.rows ?? [];
    const text = String(finding.text ?? '').split(/\n\s*\n/).filter(Boolean).map(part => element('p', {}, ...powers(part)));
    const node = element('article.finding', {id: `finding-${number}`},
      element('div', {}, element('h3', {}, element('b', {}, `${number}.`), finding.title), ...text));
    if (rows.length > 0) {
      node.append(Page.table(finding.title, finding.columns ?? [], rows.map(row => element('tr', {}, ...row.map((text, i) =>
        (i === 0 ? element('th', {scope: 'row'}, String(text)) : element('td', {}, String(text ?? '\u2013'))))))));
    }
    return node;
  }

  function deviationsView() {
    const most = Math.max(TOLERANCE, ...deviations.map(d => Math.abs(d.deviation)).filter(isNumber));
    const columns = [['cell', 'text'], ['rate', 'text'], ['deviation'], [`\u00b1${most.toFixed(1)}\u00a0%`, 'middle'],
      ['standard errors'], ['published,\u00a0%'], ['reproduced,\u00a0%'], ['table', 'text'], ['verdict', 'text']];
    const body = element('tbody');
    const line = d => {
      const track = element('div.track', {'aria-hidden': 'true'});
      if (isNumber(d.deviation)) {
        const width = Math.abs(d.deviation) / most * 50;
        track.append(element(d.deviation > 0 ? 'i.high' : 'i', {style: `width:${width}%;left:${d.deviation > 0 ? 50 : 50 - width}%`}));
      }
      return element('tr', {},
        element('th', {scope: 'row'}, d.cell), element('td.text', {}, d.rate),
        element('td', {}, signed(d.deviation)), element('td.bar-cell', {}, track),
        element('td', {}, signed(d.standardErrors, 1, '')),
        element('td', {}, ...digits(d.published)), element('td', {}, ...digits(d.measured)),
        element('td.text.id', {}, d.table),
        element(d.within ? 'td.text' : 'td.text.outside-text', {}, d.within ? 'agrees' : 'beyond'));
    };
    const show = list => body.replaceChildren(...list.map(line));
    show(deviations.slice(0, FIRST_DEVIATIONS));
    const node = element('div', {}, element('div.scroller', {tabindex: 0, role: 'region', 'aria-label': 'Deviations, worst first'},
      element('table.devs', {}, element('caption.hidden-text', {}, 'Deviations, worst first'),
        element('thead', {}, element('tr', {}, ...columns.map(([name, kind]) => element(kind ? `th.${kind}` : 'th', {scope: 'col'}, name)))),
        body)));
    if (deviations.length > FIRST_DEVIATIONS) {
      let open = false;
      const more = element('button.plain-button', {type: 'button', 'aria-expanded': 'false'}, `Show all ${deviations.length}`);
      more.addEventListener('click', () => {
        open = !open;
        show(open ? deviations : deviations.slice(0, FIRST_DEVIATIONS));
        more.setAttribute('aria-expanded', open);
        more.textContent = open ? `Show the worst ${FIRST_DEVIATIONS}` : `Show all ${deviations.length}`;
      });
      node.append(element('div.more-row', {}, more));
    }
    return node;
  }

  summary();
  overview();
  scaleKey();
  if (!tables.some(table => table.rows.some(isCorrected))) {
    byId('corrected-note').remove();
  }
  Page.fill('tables', tables.map((table, i) => tableView(table, i + 1)));
  if (tables.length > 0) {
    tips();
  }
  const drawn = figures.map((figure, i) => figureView(figure, i + 1));
  Page.fill('figures', drawn.map(figure => figure.node));
  Page.startAll(drawn);
  Page.fill('findings', findings.map((finding, i) => findingView(finding, i + 1)));
  Page.fill('deviations', deviations.length ? [deviationsView()] : []);
  Page.finish([
    ['tables', 'Tables', tables.map(table => [tableId(table), onlyAlgorithm(table)
      ? `${onlyAlgorithm(table)}, ${hashRange(table)}` : `${table.records}, ${table.distinctPercent}\u00a0% distinct`])],
    ['figures', 'Figures', figures.map(figure => [figureId(figure), shortTitle(figure)])],
    ['findings', 'Findings', findings.map((finding, i) => [`finding-${i + 1}`, finding.title])],
    ['deviations', 'Deviations', []],
  ]);
})();
