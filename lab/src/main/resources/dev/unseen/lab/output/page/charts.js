/* The charts of the page: figures along the stream, and the overview of all deviations. */
const Charts = (() => {
  'use strict';

  /* Colour (a variable of the style sheet, so that it follows the theme), dashes and symbol: any one of them is
     enough to tell the series apart. */
  const SERIES = {
    'SBF': {colour: '--series-sbf', dash: [7, 3], symbol: 'rect', width: 1.8},
    'RSBF': {colour: '--series-rsbf', dash: [2, 3], symbol: 'triangle', width: 2.2},
    'BSBF': {colour: '--series-bsbf', dash: [9, 3, 2, 3], symbol: 'diamond', width: 1.8},
    'BSBFSD': {colour: '--series-bsbfsd', dash: [14, 4], symbol: 'circle', width: 1.8},
    'RLBSBF': {colour: '--series-rlbsbf', dash: null, symbol: 'star', width: 2},
    'Plain Bloom': {colour: '--series-plain', dash: null, symbol: 'none', width: 2.8},
    'Information bound': {colour: '--series-bound', dash: [4, 4], symbol: 'none', width: 1},
  };
  /* The families of the frontier, the paper's five as above. */
  const FAMILIES = {
    'RSBF measured': {colour: '--series-rsbf', dash: [1, 3], symbol: 'downward', width: 1.8},
    'A2': {colour: '--series-a2', dash: null, symbol: 'rect', width: 1.8},
    'APBF': {colour: '--series-apbf', dash: [7, 3], symbol: 'hexagon', width: 1.8},
    'QQHTD': {colour: '--series-qqhtd', dash: [2, 3], symbol: 'downward', width: 1.8},
    'QQHT': {colour: '--series-qqhtd', dash: null, symbol: 'triangle', width: 1.8},
    'SQF': {colour: '--series-sqf', dash: [9, 3, 2, 3], symbol: 'diamond', width: 1.8},
    'Cuckoo': {colour: '--series-cuckoo', dash: [14, 4], symbol: 'circle', width: 1.8},
    'setSLRU': {colour: '--series-slru', dash: null, symbol: 'triangle', width: 1.8},
    'qfCLOCK': {colour: '--series-clock', dash: [7, 3], symbol: 'diamond', width: 1.8},
    'CLOCK-38': {colour: '--series-clock', dash: null, symbol: 'rect', width: 1.8},
    'Rolling Bloom': {colour: '--series-rolling', dash: [2, 3], symbol: 'hexagon', width: 1.8},
    'RECENCY default': {colour: '--series-default', dash: null, symbol: 'star', width: 3},
    'LRU': {colour: '--faint', dash: [3, 3], symbol: 'plus', width: 1.6},
    'Ideal LRU': {colour: '--faint', dash: [3, 3], symbol: 'cross', width: 1.6},
    'Caffeine': {colour: '--faint', dash: [3, 3], symbol: 'hexagon', width: 1.6},
  };
  /* Our own filters, in the order they come: heavy lines in the strongest colour. */
  const OWN = [
    {colour: '--series-own', dash: null, symbol: 'circle', width: 3},
    {colour: '--series-own', dash: [7, 3], symbol: 'triangle', width: 3},
    {colour: '--series-own', dash: [2, 3], symbol: 'rect', width: 3},
    {colour: '--series-own', dash: [14, 4], symbol: 'diamond', width: 3},
  ];
  const OTHER = {colour: '--faint', dash: [3, 3], symbol: 'plus', width: 1.6};
  const SHAPES = {
    rect: 'M-3.5-3.5h7v7h-7z',
    triangle: 'M0-4.5 4.5 3.5h-9z',
    diamond: 'M0-5 4.5 0 0 5-4.5 0z',
    circle: 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z',
    star: 'M0-5.5 1.6-1.9 5.5-1.6 2.5.9 3.4 4.7 0 2.6-3.4 4.7-2.5.9-5.5-1.6-1.6-1.9z',
    plus: 'M-5 0H5M0-5V5',
    cross: 'M-4-4 4 4M4-4-4 4',
    downward: 'M0 4.5 4.5-3.5h-9z',
    hexagon: 'M0-4.6 4-2.3V2.3L0 4.6-4 2.3V-2.3z',
  };
  const AXES = {
    fpr: 'FPR, % of distinct records, cumulative',
    fnr: 'FNR, % of duplicate records, cumulative',
    load: 'load, % of bits set',
  };
  const DECADES = 5; // A log axis shows no more.
  const START = 0.05; // This share of the stream may run out of a log axis below: rates rise steeply there.
  const FRONTIER_DECADES = {fpr: 5, fnr: 4};
  const SYMBOLS = 8; // per line
  const TOLERANCE = 2;

  const all = [];
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const coarse = matchMedia('(pointer: coarse)');

  const style = name => SERIES[name] ?? FAMILIES[name] ?? OTHER;
  const shape = symbol => (symbol === 'none' ? 'circle' : `path://${SHAPES[symbol]}`);
  const escape = text => String(text).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  /** 250000000 as 250M. */
  function records(n) {
    for (const [unit, letter] of [[1e9, 'B'], [1e6, 'M'], [1e3, 'k']]) {
      if (Math.abs(n) >= unit) {
        return +(n / unit).toPrecision(3) + letter;
      }
    }
    return String(Math.round(n));
  }

  /** A percentage with four digits that count, and no exponent down to a millionth. */
  function percent(value) {
    if (value === null || value === undefined || !Number.isFinite(value)) {
      return '\u2013';
    }
    if (value === 0) {
      return '0';
    }
    const size = Math.abs(value);
    if (size < 1e-6) {
      return value.toExponential(1).replace('e-', ' \u00d7 10^\u2212');
    }
    return value.toFixed(Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(size)))));
  }

  /** The line as it looks in the chart, for legends and tips. */
  function sample(name, width = 34) {
    const {colour, dash, symbol, width: stroke} = style(name);
    const mark = SHAPES[symbol]
      ? `<path d="${SHAPES[symbol]}" transform="translate(${width / 2} 6)" fill="var(--card)"
           stroke="var(${colour})" stroke-width="1.6"/>`
      : '';
    return `<svg width="${width}" height="12" aria-hidden="true">
      <line x1="0" x2="${width}" y1="6" y2="6" stroke="var(${colour})" stroke-width="${stroke}"
        stroke-dasharray="${dash ? dash.join(' ') : 'none'}"/>${mark}</svg>`;
  }

  function create(host, build) {
    const chart = echarts.init(host, null, {renderer: 'svg'});
    const entry = {chart, host, draw: () => chart.setOption(build(colours()))};
    all.push(entry);
    entry.draw();
    new ResizeObserver(() => resize(entry)).observe(host);
    return entry;
  }

  function resize(entry) {
    if (entry.host.clientWidth !== entry.chart.getWidth() || entry.host.clientHeight !== entry.chart.getHeight()) {
      entry.chart.resize();
      entry.draw();
    }
  }

  function colours() {
    return {
      ink: css('--ink'), soft: css('--soft'), faint: css('--faint'), rule: css('--rule'), grid: css('--grid'),
      card: css('--card'), sunk: css('--sunk'), accent: css('--accent'), area: css('--bound-area'), font: css('--sans'),
    };
  }

  function base(c) {
    return {
      animation: !calm.matches,
      animationDuration: 0,
      animationDurationUpdate: calm.matches ? 0 : 250,
      textStyle: {fontFamily: c.font},
    };
  }

  function axis(c) {
    return {
      axisLine: {show: true, lineStyle: {color: c.faint}},
      axisTick: {show: true, lineStyle: {color: c.faint}},
      axisLabel: {color: c.soft, fontSize: 11, hideOverlap: true},
      splitLine: {show: true, lineStyle: {color: c.grid}},
      nameTextStyle: {color: c.soft, fontSize: 12},
    };
  }

  function tooltip(c) {
    return {
      confine: true,
      backgroundColor: c.card,
      borderColor: c.rule,
      padding: [8, 12],
      transitionDuration: calm.matches ? 0 : 0.15,
      textStyle: {color: c.ink, fontSize: 12},
    };
  }

  /** One panel of a figure. {@code state} holds the scale ('log' or 'linear') and the names that are hidden. */
  function panel(host, model, state) {
    const end = Math.max(...model.series.flatMap(s => s.points.map(p => p[0])));
    let from = 0;
    let to = end;
    const isLog = () => model.measure !== 'load' && state.scale === 'log';
    const extent = () => {
      const [min, max] = isLog() ? logExtent(model, from || end * START, to) : linearExtent(model, from, to);
      return {min, max};
    };
    const entry = create(host, c => {
      const log = isLog();
      const onPaper = document.documentElement.classList.contains('printing');
      return {
        ...base(c),
        grid: {left: 52, right: 14, top: 34, bottom: onPaper ? 44 : 78, outerBoundsMode: 'none'},
        legend: {
          show: false,
          data: model.series.map(s => s.name),
          selected: Object.fromEntries(model.series.map(s => [s.name, !state.hidden.has(s.name)])),
        },
        tooltip: {
          ...tooltip(c),
          trigger: 'axis',
          axisPointer: {type: 'line', lineStyle: {color: c.faint}, label: {show: false}},
          formatter: hits => panelTip(model, state, hits),
        },
        xAxis: {
          ...axis(c),
          type: 'value',
          name: 'records processed',
          nameLocation: 'middle',
          nameGap: 26,
          max: end,
          splitNumber: 5,
          axisLabel: {...axis(c).axisLabel, formatter: records},
          splitLine: {show: false},
        },
        yAxis: {
          ...axis(c),
          type: log ? 'log' : 'value',
          name: AXES[model.measure] ?? model.measure,
          nameLocation: 'end',
          nameGap: 14,
          nameTextStyle: {color: c.soft, fontSize: 12, align: 'left', padding: [0, 0, 0, -52]},
          ...extent(),
          axisLabel: {...axis(c).axisLabel, formatter: tick},
          minorTick: {show: log, splitNumber: 9},
        },
        dataZoom: [
          {type: 'slider', show: !onPaper, height: 16, bottom: 8, showDataShadow: false, brushSelect: false, filterMode: 'none',
            borderColor: c.rule, backgroundColor: 'transparent', fillerColor: c.area,
            handleSize: '130%', handleStyle: {color: c.card, borderColor: c.faint}, moveHandleSize: 0,
            textStyle: {color: c.soft, fontSize: 11}, labelFormatter: records},
          // A finger must be able to scroll the page across a chart: it zooms with the slider alone.
          {type: 'inside', disabled: coarse.matches, zoomOnMouseWheel: 'shift', filterMode: 'none'},
        ],
        series: model.series.map((s, i) => line(s, i, log, c)),
      };
    });
    entry.chart.on('datazoom', () => {
      const zoom = entry.chart.getOption().dataZoom[0];
      [from, to] = [zoom.startValue, zoom.endValue];
      entry.chart.setOption({yAxis: extent()});
    });
    return entry;
  }

  function line(model, index, log, c) {
    const {colour, dash, symbol, width} = style(model.name);
    const bound = model.role === 'bound';
    const paint = css(colour);
    const every = Math.max(1, Math.round(model.points.length / SYMBOLS));
    const offset = Math.floor(every / 2) + Math.round(index * every / 7); // Shifted, so that marks seldom meet.
    return {
      type: 'line',
      name: model.name,
      // A log axis has no zero: a gap.
      data: model.points.map(([x, y]) => [x, log && !(y > 0) ? null : y]),
      symbol: shape(symbol),
      symbolSize: (_, p) => (symbol !== 'none' && (p.dataIndex + every - offset % every) % every === 0 ? 8 : 0),
      showAllSymbol: true,
      itemStyle: {color: c.card, borderColor: paint, borderWidth: 1.6},
      lineStyle: {color: paint, width, type: dash ?? 'solid', cap: 'butt'},
      areaStyle: bound ? {color: c.area, origin: 'start'} : undefined,
      emphasis: {focus: 'series', lineStyle: {width}, itemStyle: {color: c.card, borderColor: paint}},
      blur: {lineStyle: {opacity: 0.15}, itemStyle: {opacity: 0.15}},
      z: bound ? 1 : model.role === 'plain' ? 2 : 3,
    };
  }

  /** What the paper's filters need between two points of the stream, and where the others end. */
  function logExtent(model, from, to) {
    const paper = positive(model.series.filter(s => s.role === 'paper'), from, to);
    const ends = model.series.filter(s => s.role === 'plain').map(s => at(s.points, to)).filter(y => y > 0);
    const ys = paper.length + ends.length > 0 ? [...paper, ...ends] : positive(model.series, from, to);
    if (ys.length === 0) {
      return [0.1, 100];
    }
    const high = above(Math.max(...ys), COARSE);
    return [Math.max(below(Math.min(...ys), COARSE), high / 10 ** DECADES), high];
  }

  function linearExtent(model, from, to) {
    const ys = positive(model.series, from, to);
    return [0, ys.length > 0 ? above(Math.max(...ys), FINE) : 1];
  }

  const positive = (series, from, to) => series
    .flatMap(s => s.points.filter(p => p[0] >= from && p[0] <= to).map(p => p[1]))
    .filter(y => y > 0);

  // Round numbers, times a power of ten: where an axis may end.
  const COARSE = [1, 2, 5, 10];
  const FINE = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];
  const decade = y => 10 ** Math.floor(Math.log10(y));
  const above = (y, round) => +(round.find(m => m * decade(y) >= y * 0.999) * decade(y)).toPrecision(3);
  const below = (y, round) => +(round.findLast(m => m * decade(y) <= y * 1.001) * decade(y)).toPrecision(3);

  /** 0.001 in full, and less as a power: there is no room for more. */
  function tick(value) {
    const power = Math.log10(value);
    return value > 0 && power < -3.001 && Math.abs(power - Math.round(power)) < 1e-9
      ? `10\u207b${[...String(Math.round(-power))].map(d => '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'[d]).join('')}`
      : String(+value.toPrecision(3));
  }

  function panelTip(model, state, hits) {
    const x = hits[0].axisValue;
    const rows = model.series
      .filter(s => !state.hidden.has(s.name))
      .map(s => ({name: s.name, y: at(s.points, x)}))
      .filter(row => row.y !== null)
      .sort((a, b) => b.y - a.y)
      .map(row => `<tr><th>${sample(row.name, 24)}${escape(row.name)}</th><td>${percent(row.y)}</td></tr>`);
    return `<div class="chart-tip">${records(x)} records, ${model.measure === 'load' ? 'load' : model.measure.toUpperCase()} %
      <table>${rows.join('')}</table></div>`;
  }

  function at(points, x) {
    const nearest = points.reduce((best, p) => (Math.abs(p[0] - x) < Math.abs(best[0] - x) ? p : best), [Infinity, null]);
    return nearest[1];
  }

  /** Every published rate (x) and the deviation of the reproduced one (y). */
  function overview(host, points, onPick) {
    const present = new Set(points.map(p => p.algorithm));
    const names = [...new Set([...Object.keys(SERIES), ...present])].filter(name => present.has(name));
    const most = Math.max(...points.map(p => Math.abs(p.deviation)));
    const step = [1, 2, 5, 10, 20, 50].find(s => s * 4 >= most) ?? 100;
    const top = step * Math.ceil(Math.max(most, TOLERANCE * 1.5) / step); // Both edges of the tolerance are seen.
    const least = Math.min(...points.map(p => p.published));
    const entry = create(host, c => ({
      ...base(c),
      grid: {left: 44, right: 14, top: 34, bottom: 44, outerBoundsMode: 'none'},
      tooltip: {...tooltip(c), trigger: 'item', formatter: hit => overviewTip(hit.data.point)},
      xAxis: {
        ...axis(c), type: 'log', min: 10 ** Math.floor(Math.log10(least)), max: 100,
        name: 'published rate, %', nameLocation: 'middle', nameGap: 26,
        axisLabel: {...axis(c).axisLabel, formatter: tick}, splitLine: {show: false},
        axisLine: {onZero: false, lineStyle: {color: c.faint}},
      },
      yAxis: {
        ...axis(c), type: 'value', min: -top, max: top, interval: step,
        name: 'deviation, % of the published rate',
        nameLocation: 'end', nameGap: 14,
        nameTextStyle: {color: c.soft, fontSize: 12, align: 'left', padding: [0, 0, 0, -44]},
        axisLabel: {...axis(c).axisLabel, formatter: v => (v > 0 ? `+${v}` : String(v).replace('-', '\u2212'))},
      },
      series: [
        {
          type: 'line', silent: true, data: [], name: 'tolerance',
          markArea: {silent: true, itemStyle: {color: c.area}, data: [[{yAxis: -TOLERANCE}, {yAxis: TOLERANCE}]]},
          markLine: {silent: true, symbol: 'none', label: {show: false}, lineStyle: {color: c.faint, type: 'solid', width: 1}, data: [{yAxis: 0}]},
        },
        ...names.map(name => ({
          type: 'scatter', name, cursor: 'pointer',
          symbol: shape(style(name).symbol), symbolSize: 8,
          itemStyle: {borderColor: css(style(name).colour), borderWidth: 1.5},
          // FPR filled, FNR hollow.
          data: points.filter(p => p.algorithm === name).map(p => ({
            value: [p.published, p.deviation],
            itemStyle: {color: p.rate === 'FPR' ? css(style(name).colour) : c.card},
            point: p,
          })),
        })),
      ],
    }));
    entry.chart.on('click', hit => hit.data?.point && onPick(hit.data.point));
    return {entry, names};
  }

  function overviewTip(p) {
    return `<div class="chart-tip"><b>${escape(p.cell)}, ${p.rate}</b><br>${escape(p.title)}
      <table><tr><th>published</th><td>${percent(p.published)} %</td></tr>
      <tr><th>reproduced</th><td>${percent(p.measured)} %</td></tr>
      <tr><th>deviation</th><td>${escape(p.deviationText)}</td></tr></table></div>`;
  }

  function mark(name, filled) {
    const {colour, symbol} = style(name);
    return `<svg width="12" height="12" aria-hidden="true"><path d="${SHAPES[symbol] ?? SHAPES.circle}"
      transform="translate(6 6)" fill="${filled ? `var(${colour})` : 'var(--card)'}" stroke="var(${colour})" stroke-width="1.5"/></svg>`;
  }

  /** Gives families of ours, which are not known here by name, a look. */
  function ours(names) {
    names.forEach((name, i) => { FAMILIES[name] ??= OWN[i % OWN.length]; });
  }

  /**
   * FNR against FPR, both on log axes: of each family a line through the settings that none of its own beats, and faint
   * marks for the others. Rates below the last decade shown, and zero, for which a log axis has no place, lie on its edge.
   */
  function frontier(host, model, state) {
    const all = model.families.flatMap(f => f.points);
    const edge = key => {
      const values = all.map(p => p[key]).filter(v => v > 0);
      const top = 10 ** Math.ceil(Math.log10(Math.max(...values, 1e-6)));
      const low = 10 ** Math.floor(Math.log10(Math.min(...values, top / 10)));
      return Math.max(all.some(p => p[key] === 0) ? low / 10 : low, top / 10 ** FRONTIER_DECADES[key]);
    };
    const least = {fpr: edge('fpr'), fnr: edge('fnr')};
    const place = p => [Math.max(p.fpr, least.fpr), Math.max(p.fnr, least.fnr)];
    const datum = p => ({value: place(p), point: p});
    const label = key => value => (value <= least[key] * 1.001 && all.some(p => p[key] <= least[key])
      ? `\u2264${tick(value)}` : tick(value));
    const most = key => Math.min(100, above(Math.max(...all.map(p => p[key]), 10 * least[key]), COARSE));
    const logAxis = (c, key) => ({
      ...axis(c), type: 'log', min: least[key], max: most(key), minorTick: {show: true, splitNumber: 9},
      axisLabel: {...axis(c).axisLabel, formatter: label(key)},
    });
    return create(host, c => ({
      ...base(c),
      grid: {left: 52, right: 14, top: 34, bottom: 48, outerBoundsMode: 'none'},
      legend: {
        show: false,
        data: [...model.families.map(f => f.name), BOUND],
        selected: Object.fromEntries([...model.families.map(f => f.name), BOUND].map(name => [name, !state.hidden.has(name)])),
      },
      tooltip: {...tooltip(c), trigger: 'item', formatter: hit => (hit.data?.point ? frontierTip(hit.seriesName, hit.data.point) : '')},
      xAxis: {...logAxis(c, 'fpr'), name: 'FPR, % of distinct records', nameLocation: 'middle', nameGap: 28,
        axisLine: {onZero: false, lineStyle: {color: c.faint}}},
      yAxis: {...logAxis(c, 'fnr'), name: 'FNR, % of duplicate records', nameLocation: 'end', nameGap: 14,
        axisLine: {onZero: false, show: true, lineStyle: {color: c.faint}},
        nameTextStyle: {color: c.soft, fontSize: 12, align: 'left', padding: [0, 0, 0, -52]}},
      series: [
        ...model.families.map(f => familyLine(f, datum, c)),
        ...model.families.map(f => beatenMarks(f, datum)),
        ...(model.bound?.length ? [boundLine(model.bound.map(([fpr, fnr]) => place({fpr, fnr})), c)] : []),
      ],
    }));
  }

  const BOUND = 'Information bound';
  const beats = (a, b) => a.fpr <= b.fpr && a.fnr <= b.fnr && (a.fpr < b.fpr || a.fnr < b.fnr);
  const isBeaten = (point, points) => points.some(other => beats(other, point));

  function familyLine(family, datum, c) {
    const {colour, dash, symbol, width} = style(family.name);
    const paint = css(colour);
    return {
      type: 'line', name: family.name,
      data: family.points.filter(p => !isBeaten(p, family.points)).sort((a, b) => a.fpr - b.fpr || b.fnr - a.fnr).map(datum),
      symbol: shape(symbol), symbolSize: family.role === 'own' ? 9 : 7, showAllSymbol: true,
      itemStyle: {color: c.card, borderColor: paint, borderWidth: 1.6},
      lineStyle: {color: paint, width: family.role === 'own' ? width : 1.4, type: dash ?? 'solid', cap: 'butt'},
      emphasis: {focus: 'series', itemStyle: {color: paint, borderColor: paint}},
      blur: {lineStyle: {opacity: 0.12}, itemStyle: {opacity: 0.12}},
      z: family.role === 'own' ? 4 : 3,
    };
  }

  function beatenMarks(family, datum) {
    return {
      type: 'scatter', name: family.name, symbol: 'circle', symbolSize: 3,
      data: family.points.filter(p => isBeaten(p, family.points)).map(datum),
      itemStyle: {color: css(style(family.name).colour), opacity: 0.35},
      blur: {itemStyle: {opacity: 0.05}},
      z: 2,
    };
  }

  function boundLine(points, c) {
    const {colour, dash} = style(BOUND);
    return {
      type: 'line', name: BOUND, silent: true, symbol: 'none', data: points.sort((a, b) => a[0] - b[0]),
      lineStyle: {color: css(colour), width: 1.2, type: dash}, areaStyle: {color: c.area, origin: 'start'}, z: 1,
    };
  }

  function frontierTip(name, p) {
    return `<div class="chart-tip"><b>${escape(name)}</b> ${escape(p.setting)}
      <table><tr><th>FPR</th><td>${percent(p.fpr)} %</td></tr><tr><th>FNR</th><td>${percent(p.fnr)} %</td></tr></table>
      ${p.frontier ? 'No setting of any family beats it.' : ''}</div>`;
  }

  return {
    panel, overview, frontier, ours, sample, mark, percent, records, escape,
    redraw: () => all.forEach(entry => entry.draw()),
    resize: () => all.forEach(resize),
  };
})();
