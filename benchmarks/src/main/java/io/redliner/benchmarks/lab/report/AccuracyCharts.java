// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Pictures of the figures, as SVG. */
public final class AccuracyCharts {

    private static final int WIDTH = 900;

    private static final int HEIGHT = 540;

    /** Logarithmic axes need a least value, and smaller ones are drawn there. */
    private static final double MIN_ERROR_PERCENT = 1;

    private static final double MIN_HARM = 100;

    private AccuracyCharts() {}

    /** Each method by what it costs users and by how far its answers are off: lower and more to the left is better. */
    public static void methods(Path file, List<LabRunResult> runs) throws IOException {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT)
                .title("Error and harm, all kinds of servers").xAxisTitle("requests harmed beyond the allowance, mean")
                .yAxisTitle("absolute error in %: median, and 95 % within").build();
        var style = chart.getStyler();
        style.setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Line);
        style.setXAxisLogarithmic(true);
        style.setYAxisLogarithmic(true);
        style.setXAxisDecimalPattern("#,###");
        style.setXAxisMin(100.0);
        style.setXAxisMax(100_000.0);
        style.setYAxisMin(1.0);
        style.setYAxisMax(100.0);
        style.setLegendPosition(LegendPosition.OutsideE);
        style.setChartBackgroundColor(Color.WHITE);
        style.setMarkerSize(10);
        AccuracyStatistics.by(LabRunResult::method, runs).forEach((method, figures) -> chart.addSeries(method,
                new double[]{Math.max(MIN_HARM, figures.meanExcess()), Math.max(MIN_HARM, figures.meanExcess())},
                new double[]{percent(figures.medianError()), percent(figures.error95())}));
        save(chart, file);
    }

    /** One method on each kind of server: the median error, and what 95 % of the errors stay within. */
    public static void kinds(Path file, String method, List<LabRunResult> runs) throws IOException {
        CategoryChart chart = new CategoryChartBuilder().width(WIDTH).height(HEIGHT)
                .title(method + ": error by kind of server").xAxisTitle("").yAxisTitle("absolute error in %").build();
        var style = chart.getStyler();
        style.setLegendPosition(LegendPosition.InsideNE);
        style.setChartBackgroundColor(Color.WHITE);
        style.setXAxisLabelRotation(45);
        var kinds = new ArrayList<String>();
        var medians = new ArrayList<Double>();
        var most = new ArrayList<Double>();
        AccuracyStatistics.by(LabRunResult::kind, runs.stream().filter(run -> run.method().equals(method)).toList())
                .forEach((kind, figures) -> {
                    kinds.add(kind);
                    medians.add(100 * figures.medianError());
                    most.add(100 * figures.error95());
                });
        chart.addSeries("median", kinds, medians);
        chart.addSeries("95 % within", kinds, most);
        save(chart, file);
    }

    /** Letters are drawn as outlines, in more digits than anybody sees. */
    private static void save(Chart<?, ?> chart, Path file) throws IOException {
        VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
        Files.writeString(file, Files.readString(file).replaceAll("(\\.\\d\\d)\\d+", "$1"));
    }

    private static double percent(double ratio) {
        return Math.max(MIN_ERROR_PERCENT, 100 * ratio);
    }
}
