// SPDX-License-Identifier: Apache-2.0
// Small charts of a run over one axis of time: a ribbon of its phases and verdicts on top, below it a chart for each panel, a
// cursor through all of them, and the values at the cursor in their legends. Drag to zoom; all of it works by keyboard.
/* global echarts */
import {ratioEnd} from './chart-panels.js';
import {utc} from './format.js';
import {byId, html, show} from './html.js';
import {axisOf, ribbonOf, sinceStart} from './phase-ribbon.js';
import {colours, ribbon} from './runchart.js';

/** The margins of a plot within its panel, pixels. */
const LEFT = 56;

const RIGHT = 10;

const AXIS = 18;

/** Milliseconds of painting before the next frame has its turn. */
const BUDGET = 12;

/** A shorter drag is a click, pixels. */
const DRAG = 6;

/** Heights, pixels: what is above and below the plots of a row, the ribbon, and a plot at least, at most and on a phone. */
const CAPTION = 39;

const RIBBON = 58;

const [MIN_PLOT, MAX_PLOT, PHONE_PLOT] = [36, 112, 80];

/** The shortest stretch to look at, in windows. */
const MIN_WINDOWS = 4;

const DASHES = {peers: 'dashed', asked: 'dotted', other: [8, 3, 2, 3]};

const MARKS = {peers: '╌', asked: '┈'};

const STATES = {HOLDS: 'SLA holds', BREACHED: 'SLA broken', INCONCLUSIVE: 'no answer'};

const middle = row => (row.start + row.end) / 2;

/** The row at a time, or the nearest one; null without any. */
function rowAt(rows, time) {
  let nearest = null;
  for (const row of rows) {
    if (row.gap) continue;
    if (time >= row.start && time < row.end) return row;
    if (!nearest || Math.abs(middle(row) - time) < Math.abs(middle(nearest) - time)) nearest = row;
  }
  return nearest;
}

/** The points of a line. What is missing is a gap; a value between two gaps would be no line, and is a dot. */
function points(rows, begin, value) {
  const values = rows.map(row => row.gap ? null : value(row) ?? null);
  return rows.map((row, index) => {
    if (values[index] === null) return row.gap ? [null, null] : [middle(row) - begin, null];
    const point = [middle(row) - begin, values[index]];
    return (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null ? {value: point, symbol: 'circle', symbolSize: 4} : point;
  });
}

/** What is between the ends of an interval, wherever both are known. */
function band([low, high], rows, begin, tone) {
  const parts = [];
  let part = null;
  for (const row of rows) {
    if (row.gap || (low(row) ?? null) === null || (high(row) ?? null) === null) part = null;
    else {
      if (!part) parts.push(part = []);
      part.push([middle(row) - begin, low(row), high(row)]);
    }
  }
  return parts.length ? [ribbon(parts, tone.measured)] : [];
}

export class TimeCharts {

  /** @param zoomed is called with the stretch that is looked at, ms since the start, or null for all of it */
  constructor(element, zoomed) {
    this.element = element;
    this.zoomed = zoomed;
    this.places = [];
    this.queue = [];
    this.cursor = null;
    this.range = [0, 1];
    element.addEventListener('pointermove', moved => this.moved(moved));
    element.addEventListener('pointerleave', () => this.leave());
    element.addEventListener('pointerdown', pressed => this.press(pressed));
    addEventListener('pointerup', () => this.release());
    addEventListener('pointercancel', () => this.select(null));
    element.addEventListener('dblclick', () => this.zoomed(null));
    element.addEventListener('wheel', turned => this.turn(turned), {passive: false});
    element.addEventListener('keydown', pressed => this.key(pressed));
    new ResizeObserver(() => this.resize()).observe(element);
  }

  /**
   * Shows a run.
   *
   * @param scene panels, rows, begin in ms since 1970, range from and to in ms since begin, other run, moments that have a number
   */
  show(scene) {
    this.scene = scene;
    this.range = scene.range;
    const names = scene.panels.map(panel => panel.title + '|' + panel.unit + '|' + panel.lines.map(line => line.name).join('|')).join('||');
    if (names !== this.names) {
      this.names = names;
      this.queue = [];
      cancelAnimationFrame(this.painting);
      this.build(scene.panels);
    }
    this.tone = scene.tone || colours();
    this.paintSoon();
  }

  /** Makes the places of the panels. */
  build(panels) {
    this.places.forEach(place => place.chart?.dispose());
    show(this.element, html`<div class="ribbon-place" data-plot></div><div class="panels">${panels.map((panel, index) => html`<figure class="panel" data-panel="${index}">
      <figcaption><strong>${panel.title}</strong>${panel.unit ? html` <span class="faint">${panel.unit}</span>` : ''} ${panel.lines.filter(line => !line.hidden).map((line, number) => html`
        <span class="key tone-${line.tone}"><span aria-hidden="true">${MARKS[line.kind] || '━'}</span> ${line.name} <b data-line="${number}"></b></span>`)}</figcaption>
      <div class="plot" data-plot><div class="canvas"></div></div><div class="axis"></div></figure>`)}</div>`);
    this.ribbon = this.element.querySelector('.ribbon-place');
    this.places = [...this.element.querySelectorAll('.panel')].map((figure, index) => {
      const plot = figure.querySelector('.plot');
      return {plot, axis: figure.querySelector('.axis'), index, values: figure.querySelectorAll('[data-line]')};
    });
    // A cursor and a selection for each stretch of time that is drawn.
    this.tracks = [...this.element.querySelectorAll('[data-plot]')].map(plot => {
      const [line, area] = ['cursor', 'selection'].map(name => {
        const mark = document.createElement('div');
        mark.className = name;
        mark.hidden = true;
        plot.append(mark);
        return mark;
      });
      return {plot, line, area};
    });
  }

  /** All rows fit on the screen below what stays on its top, where plots are not too flat for it. */
  layOut() {
    this.columns = getComputedStyle(this.element.querySelector('.panels')).gridTemplateColumns.split(' ').length;
    const rows = Math.ceil(this.places.length / this.columns);
    const stays = parseFloat(document.documentElement.style.scrollPaddingTop) || 0;
    const above = this.element.offsetTop - byId('time-title').offsetTop;
    const free = innerHeight - stays - above - RIBBON - AXIS - 16;
    const height = this.columns === 1 ? PHONE_PLOT : Math.min(MAX_PLOT, Math.max(MIN_PLOT, Math.floor(free / rows) - CAPTION));
    this.element.style.setProperty('--plot-height', height + 'px');
  }

  /** Paints a panel after the other, so that no frame is long; what comes meanwhile is painted after the last. */
  paintSoon() {
    this.again = this.queue.length > 0;
    if (this.again) return;
    this.layOut();
    this.queue = [() => this.paintRibbon(), ...this.places.map((place, index) => () => this.paint(place, this.scene.panels[index])), () => this.point(this.cursor)];
    this.painting = requestAnimationFrame(() => this.paintSome());
  }

  paintSome() {
    const begun = performance.now();
    while (this.queue.length && performance.now() - begun < BUDGET) this.queue.shift()();
    if (this.queue.length) this.painting = requestAnimationFrame(() => this.paintSome());
    else if (this.again) this.paintSoon();
  }

  /** Paints all of it now, for paper. */
  paintNow() {
    cancelAnimationFrame(this.painting);
    this.queue = [];
    this.paintSoon();
    cancelAnimationFrame(this.painting);
    this.queue.splice(0).forEach(paint => paint());
    this.places.forEach(place => place.chart?.getZr().flush());
  }

  resize() {
    if (!this.scene || this.element.clientWidth === this.width) return;
    this.width = this.element.clientWidth;
    this.paintSoon();
  }

  paintRibbon() {
    const {rows, begin, moments} = this.scene;
    show(this.ribbon.querySelector('svg')?.parentNode || this.ribbonCanvas(), ribbonOf({rows, begin, range: this.range, moments, width: this.ribbon.clientWidth, left: LEFT, right: RIGHT}));
  }

  ribbonCanvas() {
    const canvas = document.createElement('div');
    this.ribbon.prepend(canvas);
    return canvas;
  }

  /** Whether a panel has the times below it: the last of its column, and on a phone each fourth. */
  labelled(index) {
    const {columns, places} = this;
    return index >= places.length - columns || columns === 1 && index % 4 === 3;
  }

  paint(place, panel) {
    const {plot, axis, index} = place;
    const {rows, begin, other, steps} = this.scene;
    const {tone} = this;
    const [from, to] = this.range;
    // What needs no library is there before it.
    show(axis, this.labelled(index) ? axisOf({range: this.range, width: plot.clientWidth, left: LEFT, right: RIGHT}) : html``);
    if (!window.echarts) return;
    const margin = (to - from) / 20;
    const within = (list, start) => list.filter(row => row.gap || row.end - start >= from - margin && row.start - start <= to + margin);
    const seen = within(rows, begin);
    const line = (one, data, colour, dash) => ({
      type: 'line', name: one.name, data, connectNulls: false, animation: false, silent: true, symbol: 'none', showAllSymbol: true, step: one.step ? 'end' : false,
      lineStyle: {color: colour, width: one.hidden ? 0.7 : 1.5, type: dash || 'solid'}, itemStyle: {color: colour},
    });
    const series = panel.lines.flatMap(one => [
      line(one, points(seen, begin, one.value), tone[one.tone], DASHES[one.kind]),
      ...(one.peers && seen.some(row => !row.gap && (one.peers(row) ?? null) !== null) ? [line({...one, name: one.name + ' of peers'}, points(seen, begin, one.peers), tone[one.tone], DASHES.peers)] : []),
      ...(other && one.compared ? [line({name: one.name + ' of the other run'}, points(within(other.rows, other.begin), other.begin, one.value), tone.warn, DASHES.other)] : []),
    ]);
    if (panel.band) series.unshift(...band(panel.band, seen, begin, tone));
    series.find(one => !one.areaStyle).markLine = marks(steps, begin, from, to, tone);
    const chart = place.chart ??= echarts.init(plot.firstElementChild, null, {renderer: 'canvas'});
    if (chart.getWidth() !== plot.clientWidth || chart.getHeight() !== plot.clientHeight) chart.resize();
    chart.setOption({
      animation: false, backgroundColor: 'transparent', grid: {left: LEFT, right: RIGHT, top: 6, bottom: 4},
      xAxis: {type: 'value', min: from, max: to, axisLabel: {show: false}, axisLine: {lineStyle: {color: tone.faint}}, axisTick: {show: false}, splitLine: {show: false}},
      yAxis: {
        type: 'value', min: 0, max: panel.ratio ? ratioEnd : null, splitNumber: 2, axisLabel: {color: tone.faint, fontSize: 10, margin: 5, formatter: panel.axisFormat, hideOverlap: true},
        splitLine: {lineStyle: {color: tone.line}},
      },
      series,
    }, {replaceMerge: ['series']});
  }

  // ---- the cursor

  /** The stretch of time that a pointer is in; undefined beside them. */
  plotAt({target}) {
    return this.tracks?.map(track => track.plot).find(plot => plot.contains(target) || plot.parentNode.tagName === 'FIGURE' && plot.parentNode.contains(target));
  }

  /** The time below a pointer, ms since the start. */
  timeAt(event, plot) {
    const {left, width} = plot.getBoundingClientRect();
    const part = (event.clientX - left - LEFT) / (width - LEFT - RIGHT);
    return this.range[0] + Math.min(1, Math.max(0, part)) * (this.range[1] - this.range[0]);
  }

  moved(event) {
    // A drag stays in the panel that it began in.
    const plot = this.drag ? this.drag.plot : this.plotAt(event);
    if (!plot || !this.scene) return;
    const time = this.timeAt(event, plot);
    if (this.drag) {
      this.drag.last = time;
      this.drag.far ||= Math.abs(event.clientX - this.drag.x) > DRAG;
      if (this.drag.far) this.select([this.drag.time, time]);
    }
    // What moved below a pointer that stands still is the page.
    if (event.pointerType === 'touch' || this.pinned && !event.movementX && !event.movementY) return;
    this.pinned = false;
    byId('moment').removeAttribute('aria-live');
    this.point(time);
  }

  leave() {
    if (!this.drag && !this.pinned) this.point(null);
  }

  press(event) {
    const plot = this.plotAt(event);
    if (!plot || event.button || !this.scene) return;
    const time = this.timeAt(event, plot);
    this.pinned = event.pointerType === 'touch';
    this.point(time);
    if (event.pointerType !== 'touch') this.drag = {x: event.clientX, time, last: time, plot};
  }

  release() {
    const {drag} = this;
    this.select(null);
    if (drag && drag.far) this.zoomTo(Math.min(drag.time, drag.last), Math.max(drag.time, drag.last));
  }

  /** Shows what is being dragged over. */
  select(times) {
    if (!times) this.drag = null;
    this.tracks?.forEach(({plot, area}) => {
      area.hidden = !times;
      if (times) {
        const [from, to] = times.map(time => this.pixel(plot, time)).sort((one, other) => one - other);
        area.style.left = from + 'px';
        area.style.width = to - from + 'px';
      }
    });
  }

  pixel(plot, time) {
    const [from, to] = this.range;
    return LEFT + (time - from) / (to - from) * (plot.clientWidth - LEFT - RIGHT);
  }

  zoomTo(from, to) {
    const shortest = MIN_WINDOWS * this.scene.windowLength;
    const around = Math.max(0, shortest - (to - from)) / 2;
    this.zoomed([from - around, to + around]);
  }

  turn(event) {
    const plot = this.plotAt(event);
    if (!event.ctrlKey || !plot || !this.scene) return;
    const time = this.timeAt(event, plot);
    event.preventDefault();
    const [from, to] = this.range;
    const factor = event.deltaY < 0 ? 0.7 : 1 / 0.7;
    this.zoomTo(time - (time - from) * factor, time + (to - time) * factor);
  }

  /** Puts the cursor at a time, and the values there into the legends; without one, those of the newest window that is in sight. */
  point(time) {
    this.cursor = time;
    if (!this.scene) return;
    const {rows, begin} = this.scene;
    const [from, to] = this.range;
    const row = rowAt(rows, time === null ? begin + to : begin + time);
    const at = row && time !== null ? middle(row) - begin : null;
    this.tracks.forEach(({plot, line}) => {
      line.hidden = at === null || at < from || at > to;
      if (!line.hidden) line.style.transform = `translateX(${this.pixel(plot, at).toFixed(1)}px)`;
    });
    this.places.forEach(({values}, index) => {
      this.scene.panels[index].lines.filter(line => !line.hidden).forEach((line, number) => {
        const value = row ? line.value(row) ?? null : null;
        const peers = row && line.peers ? line.peers(row) ?? null : null;
        const text = (value === null ? '–' : line.format(value)) + (peers === null ? '' : ' (' + line.format(peers) + ')');
        if (values[number] && values[number].textContent !== text) values[number].textContent = text;
      });
    });
    byId('moment').textContent = !row ? '' : (time === null ? 'Values are those of ' : '') + sinceStart(row.start - begin) + ' · ' + new Date(row.start).toLocaleTimeString()
      + ' · ' + row.phase + ' · ' + STATES[row.judgement] + (row.step ? ' · step ' + row.step : '') + (row.count > 1 ? ' · ' + row.count + ' windows' : '');
    byId('moment').title = row ? utc(row.start) : '';
  }

  /** Leads to a moment: the cursor stays there until somebody moves it. */
  lead(time) {
    this.pinned = true;
    this.point(time);
  }

  key(pressed) {
    if (!this.scene || pressed.ctrlKey || pressed.altKey || pressed.metaKey) return;
    const {rows, begin} = this.scene;
    const [from, to] = this.range;
    const seen = rows.filter(row => !row.gap && middle(row) - begin >= from && middle(row) - begin <= to);
    const here = this.cursor === null ? seen.length - 1 : Math.max(0, seen.indexOf(rowAt(seen, begin + this.cursor)));
    const centre = this.cursor ?? (from + to) / 2;
    const go = index => seen.length && this.lead(middle(seen[Math.min(seen.length - 1, Math.max(0, index))]) - begin);
    const acts = {
      ArrowLeft: () => go(here - (pressed.shiftKey ? 10 : 1)), ArrowRight: () => go(here + (pressed.shiftKey ? 10 : 1)), Home: () => go(0), End: () => go(seen.length - 1),
      '+': () => this.zoomTo(centre - (to - from) / 4, centre + (to - from) / 4), '-': () => this.zoomTo(centre - (to - from), centre + (to - from)),
      0: () => this.zoomed(null), Escape: () => { this.pinned = false; this.point(null); this.zoomed(null); },
    };
    const act = acts[pressed.key];
    if (!act) return;
    pressed.preventDefault();
    byId('moment').setAttribute('aria-live', 'polite');
    act();
  }
}

/** Where steps began: thin lines. */
function marks(steps, begin, from, to, tone) {
  const seen = steps.map(step => new Date(step.startedAt).getTime() - begin).filter(at => at >= from && at <= to);
  const every = Math.max(1, Math.ceil(seen.length / 40));
  return {silent: true, symbol: 'none', animation: false, label: {show: false}, lineStyle: {color: tone.line, type: 'solid', width: 1}, data: seen.filter((at, index) => index % every === 0).map(at => ({xAxis: at}))};
}
