// SPDX-License-Identifier: Apache-2.0
// The charts of a run on its page: they grow while it is live, and are finer where somebody looks closely.
import {ApiError, get} from './api.js';
import {duration} from './format.js';
import {byId} from './html.js';
import {limitOption, limitWords} from './limit-chart.js';
import {chartIn, curveOption, heightOf, timeOption} from './runchart.js';
import {RunRows} from './rundata.js';

/** After so many windows from events the whole run is asked for anew, so that the page's memory does not grow without end. */
const LONGEST_TAIL = 600;

/** Between two pictures, ms: four times a second is enough. */
const PAUSE = 250;

/** While somebody scrolls or zooms, new windows wait: so long after the last motion, ms, but not longer than LONGEST_WAIT. */
const STILL = 300;

const LONGEST_WAIT = 3000;

/** Points over the width of a chart: more cannot be distinguished, and each costs a part of every picture. */
const PIXELS_A_POINT = 4;

const MOVES = {
  whole: () => [0, 100],
  in: (start, end) => [start + (end - start) / 4, end - (end - start) / 4],
  out: (start, end) => [start - (end - start) / 2, end + (end - start) / 2],
  earlier: (start, end) => [start - (end - start) / 2, end - (end - start) / 2],
  later: (start, end) => [start + (end - start) / 2, end + (end - start) / 2],
};

/** How many points are asked for. */
export const points = () => Math.min(900, Math.max(200, Math.round(innerWidth / PIXELS_A_POINT)));

export class RunCharts {

  /**
   * @param path of the run
   * @param scene gives what the page knows now: whether the run is over, what was found, and the other run to draw it against
   */
  constructor(path, scene) {
    this.path = path;
    this.scene = scene;
    this.rows = new RunRows();
    this.zoom = {start: 0, end: 100};
    this.lastDrawn = 0;
    this.movedAt = -STILL;
    addEventListener('scroll', () => { this.movedAt = performance.now(); }, {passive: true});
    document.querySelectorAll('[data-zoom]').forEach(button => button.addEventListener('click', () => this.move(MOVES[button.dataset.zoom])));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  /** Takes a window of an event; whether it was new. */
  add(window) {
    if (!this.rows.add(window)) return false;
    if (this.rows.tail.length > LONGEST_TAIL) this.load();
    this.draw();
    return true;
  }

  /** Asks for the whole run. */
  async load() {
    if (this.loading) return;
    this.loading = true;
    try {
      this.rows.take(await get(this.path + '/timeline?points=' + points()));
      this.draw();
    } catch (failure) {
      if (!(failure instanceof ApiError)) return;
      byId('chart-state').hidden = false;
      byId('chart-state').textContent = failure.message;
    } finally {
      this.loading = false;
    }
  }

  /** Soon, in step with the screen, and not while somebody moves it. */
  draw() {
    if (this.drawing) return;
    this.drawing = true;
    this.paintAfter(Math.max(0, this.lastDrawn + PAUSE - performance.now()), performance.now());
  }

  paintAfter(pause, since) {
    setTimeout(() => {
      const now = performance.now();
      if (now < this.movedAt + STILL && now < since + LONGEST_WAIT) this.paintAfter(STILL, since);
      else requestAnimationFrame(() => this.paint());
    }, pause);
  }

  paint() {
    this.drawing = false;
    this.lastDrawn = performance.now();
    const {rows, zoom} = this;
    const {over, found, other, curve, steps} = this.scene();
    const all = rows.all();
    const begin = rows.begin();
    const some = begin !== null && all.length > 0;
    byId('time-chart').hidden = byId('curve-chart').hidden = byId('limit-chart').hidden = !some;
    byId('chart-state').hidden = some;
    if (!some) {
      byId('chart-state').textContent = over ? 'This run ended before a window was judged.' : 'No window was judged yet.';
      return;
    }
    const condensed = rows.timeline && (rows.detail ? rows.detail.pointSeconds : rows.timeline.pointSeconds) > rows.timeline.windowSeconds;
    const option = timeOption({rows: all, begin, end: rows.end(), units: rows.units, condensed, zoom, other});
    byId('time-chart').style.height = heightOf(option.panelCount) + 'px';
    if (!this.timeChart) {
      this.timeChart = chartIn(byId('time-chart'));
      this.timeChart.on('datazoom', moved => this.zoomed(moved));
    }
    this.timeChart.resize();
    this.timeChart.setOption(option, {replaceMerge: ['series', 'grid', 'xAxis', 'yAxis', 'title'], lazyUpdate: true});
    this.curveChart ??= chartIn(byId('curve-chart'));
    this.curveChart.setOption(curveOption({rows: all, found, other}), {replaceMerge: ['series']});
    this.limitChart ??= chartIn(byId('limit-chart'));
    this.limitChart.setOption(limitOption({curve, steps, found}), {replaceMerge: ['series']});
    byId('limit-words').textContent = limitWords(curve, steps);
    byId('limit-chart').setAttribute('aria-label', 'How much breaks at which load. ' + limitWords(curve, steps));
    byId('lacking').textContent = option.lacking;
    this.describe(all, condensed);
  }

  describe(all, condensed) {
    const {rows} = this;
    const drawn = all.filter(row => !row.gap);
    const slowest = Math.max(...drawn.map(row => row.values.latencyP99Seconds ?? -1));
    const most = Math.max(...drawn.map(row => row.values.requestsPerSecondMax ?? 0));
    const broken = drawn.reduce((sum, row) => sum + row.values.breached, 0);
    const seen = drawn.reduce((sum, row) => sum + row.count, 0);
    const words = seen + ' windows, ' + broken + ' broke the SLA; at most ' + Math.round(most) + ' requests/s; slowest p99 ' + (slowest < 0 ? 'unknown: no request was answered' : duration(slowest)) + '.';
    byId('time-chart').setAttribute('aria-label', 'Charts over time. ' + words + ' The steps are in the table below.');
    byId('resolution').textContent = words + (condensed ? ' A point is up to ' + duration(rows.detail ? rows.detail.pointSeconds : rows.timeline.pointSeconds) + ', its largest values stay.' : '');
    byId('curve-words').textContent = 'Each point is a window (diamonds broke the SLA), the line their median. Steps are in the table below.';
  }

  zoomed(moved) {
    const {start, end} = moved.batch ? moved.batch[0] : moved;
    if (start === undefined) return;
    this.zoom = {start, end};
    this.movedAt = performance.now();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.closer(), 250);
  }

  move(where) {
    if (!this.timeChart) return;
    const [start, end] = where(this.zoom.start, this.zoom.end);
    const length = Math.min(100, end - start);
    const from = Math.min(100 - length, Math.max(0, start));
    this.zoom = {start: from, end: from + length};
    this.timeChart.dispatchAction({type: 'dataZoom', dataZoomIndex: 0, ...this.zoom});
    this.timeChart.dispatchAction({type: 'dataZoom', dataZoomIndex: 1, ...this.zoom});
  }

  /** Asks for more points of what is looked at, when the controller has more. */
  async closer() {
    const {rows, zoom} = this;
    const {other} = this.scene();
    const begin = rows.begin();
    if (begin === null || !rows.timeline) return;
    const longest = Math.max(rows.end() - begin, other ? other.end - other.begin : 0);
    const from = begin + longest * zoom.start / 100;
    const to = begin + longest * zoom.end / 100;
    const wide = zoom.end - zoom.start > 99;
    if (wide || rows.timeline.pointSeconds <= rows.timeline.windowSeconds) {
      if (rows.detail) {
        rows.look(null);
        this.draw();
      }
      return;
    }
    this.looking?.abort();
    this.looking = new AbortController();
    try {
      const margin = (to - from) / 4;
      const first = Math.max(0, Math.floor(from - margin));
      const last = Math.ceil(to + margin);
      rows.look(await get(this.path + '/timeline?points=' + points() + '&from=' + new Date(first).toISOString() + '&to=' + new Date(last).toISOString(), this.looking.signal), first, last);
      this.draw();
    } catch (failure) {
      if (failure.name !== 'AbortError' && failure instanceof ApiError) byId('resolution').textContent = failure.message;
    }
  }
}
