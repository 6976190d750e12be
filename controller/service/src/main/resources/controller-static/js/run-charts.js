// SPDX-License-Identifier: Apache-2.0
// The charts of a run on its page: they grow while it is live, and are finer where somebody looks closely.
import {ApiError, get} from './api.js';
import {saveImage} from './chart-image.js';
import {loadLibrary, loadWhenSeen} from './chart-library.js';
import {lacking, panelsOf} from './chart-panels.js';
import {duration} from './format.js';
import {byId} from './html.js';
import {limitOption, limitWords} from './limit-chart.js';
import {chartIn, curveOption, PAPER} from './runchart.js';
import {RunRows} from './rundata.js';
import {TimeCharts} from './time-charts.js';

/** After so many windows from events the whole run is asked for anew, so that the page's memory does not grow without end. */
const LONGEST_TAIL = 600;

/** Between two pictures, ms: four times a second is enough. */
const PAUSE = 250;

/** While somebody scrolls or zooms, new windows wait: so long after the last motion, ms, but not longer than LONGEST_WAIT. */
const STILL = 300;

const LONGEST_WAIT = 3000;

/** Between two readings of the highlights of a live run, ms. */
const HIGHLIGHTS = 5000;

/** Points over the width of the page: more cannot be distinguished, and each costs a part of every picture. */
const PIXELS_A_POINT = 4;

/** What is shown around a moment, on each side: so many windows, but not less than so many ms. */
const MOMENT_WINDOWS = 30;

const MOMENT = 30000;

/** Pixels that fit on a sheet of paper. */
const SHEET = 680;

const MOVES = {
  whole: () => null,
  in: ([from, to]) => [from + (to - from) / 4, to - (to - from) / 4],
  out: ([from, to]) => [from - (to - from) / 2, to + (to - from) / 2],
  earlier: ([from, to]) => [from - (to - from) / 2, to - (to - from) / 2],
  later: ([from, to]) => [from + (to - from) / 2, to + (to - from) / 2],
};

/** How many points are asked for. */
export const points = () => Math.min(900, Math.max(200, Math.round(innerWidth / PIXELS_A_POINT)));

export class RunCharts {

  /**
   * @param path of the run
   * @param scene gives what the page knows now: whether the run is over, what was found, and the other run to draw it against
   * @param missing is called when the controller knows no such run
   * @param received gets the highlights whenever they were read
   */
  constructor(path, scene, missing, received) {
    this.path = path;
    this.scene = scene;
    this.missing = missing;
    this.received = received;
    this.rows = new RunRows();
    this.zoom = null;
    this.highlights = [];
    this.lastDrawn = 0;
    this.movedAt = -STILL;
    this.time = new TimeCharts(byId('time-chart'), range => this.zoomTo(range));
    addEventListener('scroll', () => { this.movedAt = performance.now(); }, {passive: true});
    document.querySelectorAll('[data-zoom]').forEach(button => button.addEventListener('click', () => this.zoomTo(MOVES[button.dataset.zoom](this.range()))));
    byId('save-image').addEventListener('click', () => this.save(byId('time-chart'), document.title + ' · ' + byId('resolution').textContent, 'redliner-' + path.split('/').pop()));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    loadWhenSeen(['time-chart', 'limit-chart', 'curve-chart'].map(byId), () => this.draw());
    addEventListener('beforeprint', () => this.print(SHEET + 'px', PAPER));
    addEventListener('afterprint', () => this.print('', null));
  }

  /** Hands the charts to the viewer, all of them drawn. */
  async save(...parts) {
    await loadLibrary();
    this.paint();
    this.time.paintNow();
    saveImage(...parts);
  }

  /** Takes a window of an event; whether it was new. */
  add(window) {
    if (!this.rows.add(window)) return false;
    if (this.rows.tail.length > LONGEST_TAIL) this.load();
    this.draw();
    return true;
  }

  /** Asks for the whole run, with its highlights. */
  async load() {
    if (this.loading || this.closed) return;
    this.loading = true;
    this.loadedAt = performance.now();
    try {
      const timeline = await get(this.path + '/timeline?points=' + points());
      this.rows.take(timeline);
      this.highlights = timeline.highlights || [];
      this.received(this.highlights);
      this.draw();
    } catch (failure) {
      if (!(failure instanceof ApiError)) return;
      byId('chart-state').hidden = false;
      byId('chart-state').textContent = failure.message;
      if (!this.highlights.length) this.received([], failure.message);
      if (failure.status === 404) this.missing();
    } finally {
      this.loading = false;
    }
  }

  /** Asks for the highlights anew, soon: something happened. */
  loadSoon() {
    this.loadingSoon ??= setTimeout(() => {
      this.loadingSoon = undefined;
      this.load();
    }, Math.max(0, (this.loadedAt || 0) + HIGHLIGHTS - performance.now()));
  }

  /** Asks for nothing and draws nothing any more. */
  close() {
    this.closed = true;
    clearTimeout(this.loadingSoon);
    this.looking?.abort();
  }

  /** Soon, in step with the screen, and not while somebody moves it. */
  draw() {
    if (this.drawing || this.closed) return;
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

  /** How long the run is, or the longer of two that are compared, ms. */
  length() {
    const {other} = this.scene();
    return Math.max(this.rows.end() - this.rows.begin(), other ? other.end - other.begin : 0, 1);
  }

  /** What is looked at, ms since the start. */
  range() {
    return this.zoom || [0, this.length()];
  }

  paint() {
    this.drawing = false;
    if (this.closed) return;
    this.lastDrawn = performance.now();
    const {rows} = this;
    const {over, found, other, curve, steps} = this.scene();
    const all = rows.all();
    const begin = rows.begin();
    const some = begin !== null && all.length > 0;
    byId('time-chart').hidden = byId('curve-chart').hidden = byId('limit-chart').hidden = byId('chart-keys').hidden = !some;
    byId('chart-state').hidden = some;
    if (!some) {
      byId('chart-state').textContent = over ? 'This run ended before a window was judged.' : 'No window was judged yet.';
      return;
    }
    const condensed = Boolean(rows.timeline) && (rows.detail ? rows.detail.pointSeconds : rows.timeline.pointSeconds) > rows.timeline.windowSeconds;
    this.time.show({panels: panelsOf(all, rows.units, condensed), rows: all, begin, range: this.range(), other, moments: this.highlights, steps, tone: this.paper, windowLength: this.windowLength()});
    if (this.leading) {
      this.leading = false;
      byId('time-title').scrollIntoView();
      byId('time-chart').focus({preventScroll: true});
    }
    byId('lacking').textContent = lacking(all);
    this.describe(all, condensed);
    // Frames of their own: none is to be long.
    if (window.echarts) requestAnimationFrame(() => {
      this.curveChart ??= chartIn(byId('curve-chart'));
      this.curveChart.setOption(curveOption({rows: all, found, other}), {replaceMerge: ['series']});
      requestAnimationFrame(() => {
        this.limitChart ??= chartIn(byId('limit-chart'));
        this.limitChart.setOption(limitOption({curve, steps, found}), {replaceMerge: ['series']});
      });
    });
    byId('limit-words').textContent = limitWords(curve, steps);
    byId('limit-chart').setAttribute('aria-label', 'How much breaks at which load. ' + limitWords(curve, steps));
  }

  windowLength() {
    return this.rows.timeline ? this.rows.timeline.windowSeconds * 1000 : 1000;
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

  /** Looks at a stretch, ms since the start, or at all of it. */
  zoomTo(range) {
    if (this.rows.begin() === null) return;
    const whole = this.length();
    const length = range ? Math.min(whole, range[1] - range[0]) : whole;
    const from = range ? Math.min(whole - length, Math.max(0, range[0])) : 0;
    this.zoom = length >= whole ? null : [from, from + length];
    this.movedAt = -STILL;
    this.draw();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.closer(), 250);
  }

  /** Leads to a moment: zooms in on it, and puts the cursor there. The charts have the keys from there on. */
  lead(instant) {
    const at = new Date(instant).getTime() - this.rows.begin();
    if (this.rows.begin() === null || Number.isNaN(at)) return;
    const around = Math.max(MOMENT, MOMENT_WINDOWS * this.windowLength());
    this.zoomTo([at - around, at + around]);
    this.time.lead(Math.min(this.length(), Math.max(0, at)));
    this.leading = true;
  }

  /** Lays the charts out for paper, or for the screen again. */
  print(width, paper) {
    if (!this.time.scene) return;
    byId('time-chart').style.width = width;
    byId('time-chart').classList.toggle('paper', Boolean(paper));
    this.paper = paper;
    this.paint();
    this.time.paintNow();
    if (!paper || window.echarts) return;
    byId('chart-state').hidden = false;
    byId('chart-state').textContent = 'The charts are drawn when they are in sight: scroll to them, and print again.';
  }

  /** Asks for more points of what is looked at, when the controller has more. */
  async closer() {
    const {rows, zoom} = this;
    if (this.closed || rows.begin() === null || !rows.timeline) return;
    if (!zoom || rows.timeline.pointSeconds <= rows.timeline.windowSeconds) {
      if (rows.detail) {
        rows.look(null);
        this.draw();
      }
      return;
    }
    this.looking?.abort();
    this.looking = new AbortController();
    try {
      const [from, to] = zoom.map(at => rows.begin() + at);
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
