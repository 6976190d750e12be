// SPDX-License-Identifier: Apache-2.0
// Capacities with their 95 % intervals over time or versions; deployments and regressions are marked.
/* global echarts */
import {capacity, number, utc} from './format.js';

const SHAPES = ['circle', 'rect', 'diamond', 'triangle', 'roundRect', 'pin'];

const dark = matchMedia('(prefers-color-scheme: dark)');

function colours() {
  const style = getComputedStyle(document.documentElement);
  const of = name => style.getPropertyValue('--' + name).trim();
  return {ink: of('ink'), faint: of('faint'), line: of('line'), bad: of('bad'), raised: of('raised'),
    series: dark.matches ? ['#6fb3f2', '#f0b35a', '#6bcf8e', '#d9a0f0', '#8fd6d6', '#e0d070'] : ['#0b63b5', '#8a5000', '#1b7a3d', '#7a2f9b', '#0f6a6a', '#6a6000']};
}

const isOpen = item => item.lowerBound || !item.high;

/** A vertical line from low to high with short ends; without an upper end it ends at the capacity, below an arrow. */
function whisker(item, at, colour) {
  const end = (value, capped) => ({coord: [at, value], symbol: capped ? 'rect' : 'none', symbolSize: [10, 1.5]});
  return [{...end(item.low, true), lineStyle: {color: colour, width: 1.5, type: 'solid'}, label: {show: false}},
    end(isOpen(item) ? Math.max(item.low, item.capacity) : item.high, !isOpen(item))];
}

const fell = item => item.previous && item.previous.significance === 'FALL';

/** The versions in the order in which they were first seen. */
function versionsOf(items) {
  return [...new Set([...items].reverse().map(item => item.version || 'unknown'))];
}

/** Where capacities stand over versions: those of one version beside each other, the oldest first. */
function places(items, versions) {
  const counts = new Map();
  const numbered = new Map([...items].reverse().map(item => {
    const version = item.version || 'unknown';
    counts.set(version, (counts.get(version) || 0) + 1);
    return [item, counts.get(version)];
  }));
  return item => {
    const version = item.version || 'unknown';
    const count = counts.get(version);
    return versions.indexOf(version) + (numbered.get(item) - (count + 1) / 2) * Math.min(0.1, 0.7 / count);
  };
}

/** The lines of a series: deployments, and the intervals of its capacities. */
function marks(deployments, intervals, tint) {
  return {
    silent: false, symbol: 'none', z: 1, animation: false, lineStyle: {color: tint.faint, type: 'dashed'},
    label: {formatter: mark => mark.name, color: tint.faint, position: 'insideEndTop', fontSize: 11},
    data: [...deployments.map(one => ({name: one.version, xAxis: new Date(one.at).getTime()})), ...intervals],
  };
}

function said(item) {
  return [`${item.instance}${item.version ? ', version ' + item.version : ''}${item.hardware ? ', ' + item.hardware : ''}`,
    capacity(item), ...(item.previous && item.previous.changePercent !== undefined
      ? [`${fell(item) ? 'Regression: ' : ''}${number(item.previous.changePercent)} % since the one before`] : []),
    new Date(item.recordedAt).toLocaleString(), utc(item.recordedAt)].join('\n');
}

export class CapacityChart {

  constructor(element) {
    this.element = element;
    this.options = null;
    this.width = 0;
    dark.addEventListener('change', () => this.draw());
    new ResizeObserver(() => {
      if (this.chart) this.chart.resize();
    }).observe(element);
  }

  clear() {
    this.shown = null;
    if (this.chart) this.chart.clear();
  }

  /** @param byVersion over versions, not over time */
  show(items, deployments, byVersion) {
    this.shown = {items, deployments, byVersion};
    this.draw();
  }

  draw() {
    if (!this.shown || !window.echarts) return;
    this.chart ??= echarts.init(this.element, null, {renderer: 'canvas'});
    const {items, deployments, byVersion} = this.shown;
    const tint = colours();
    const versions = versionsOf(items);
    const place = byVersion ? places(items, versions) : item => new Date(item.recordedAt).getTime();
    const instances = [...new Set(items.map(item => item.instance))].sort();
    const series = instances.flatMap((instance, index) => {
      const colour = tint.series[index % tint.series.length];
      const own = items.filter(item => item.instance === instance).reverse();
      return [{
        type: byVersion ? 'scatter' : 'line', name: instance, symbol: SHAPES[index % SHAPES.length], symbolSize: 9, itemStyle: {color: colour}, lineStyle: {color: colour, width: 1.5},
        data: own.map(item => ({
          value: [place(item), item.capacity], item,
          ...(fell(item) ? {symbolSize: 15, itemStyle: {color: tint.bad, borderColor: tint.ink, borderWidth: 1.5},
            label: {show: true, position: 'bottom', color: tint.bad, fontWeight: 'bold', formatter: number(item.previous.changePercent) + ' %'}} : {}),
        })),
        markLine: marks(index === 0 && !byVersion ? deployments : [], own.map(item => whisker(item, place(item), colour)), tint),
      }, {
        type: 'scatter', name: instance, silent: true, symbol: 'arrow', symbolSize: 10, symbolOffset: [0, -16], itemStyle: {color: colour},
        data: own.filter(isOpen).map(item => [place(item), Math.max(item.low, item.capacity)]), tooltip: {show: false}, z: 1,
      }];
    });
    const top = Math.max(...items.map(item => Math.max(item.capacity, item.lowerBound ? 0 : item.high)));
    this.chart.setOption({
      animation: false, textStyle: {color: tint.ink, fontFamily: 'system-ui, sans-serif'},
      grid: {left: 12, right: 44, top: 56, bottom: byVersion ? 24 : 64, containLabel: true},
      legend: {type: 'scroll', top: 8, textStyle: {color: tint.ink}, data: instances, pageIconColor: tint.ink, pageTextStyle: {color: tint.ink}},
      tooltip: {trigger: 'item', renderMode: 'richText', confine: true, backgroundColor: tint.raised, borderColor: tint.line, textStyle: {color: tint.ink},
        formatter: at => at.data && at.data.item ? said(at.data.item) : at.componentType === 'markLine' && at.name ? 'Deployment of ' + at.name + '\n' + new Date(at.value).toLocaleString() : ''},
      xAxis: byVersion
        ? {type: 'value', min: -0.5, max: versions.length - 0.5, interval: 0.5, splitLine: {show: false}, axisTick: {show: false},
          axisLabel: {color: tint.faint, formatter: at => versions[at] || '', hideOverlap: true}} : {type: 'time', axisLabel: {color: tint.faint, hideOverlap: true}},
      yAxis: {type: 'value', name: 'req/s', min: 0, axisLine: {show: false, onZero: false}, max: Math.ceil(top * 1.1), nameTextStyle: {color: tint.faint}, axisLabel: {color: tint.faint, showMaxLabel: false}, splitLine: {lineStyle: {color: tint.line}}},
      dataZoom: byVersion ? [] : [{type: 'slider', height: 22, bottom: 10, textStyle: {color: tint.faint}, borderColor: tint.line}],
      series,
    }, {notMerge: true});
    this.chart.resize();
  }
}
