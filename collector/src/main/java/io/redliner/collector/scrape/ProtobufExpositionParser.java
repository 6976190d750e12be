// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Timestamp;
import com.google.protobuf.WireFormat;
import io.prometheus.client.Metrics.LabelPair;
import io.prometheus.client.Metrics.Metric;
import io.prometheus.client.Metrics.MetricFamily;
import io.prometheus.client.Metrics.MetricType;
import io.prometheus.client.Metrics.Quantile;
import io.prometheus.client.Metrics.Summary;
import io.redliner.collector.http.RequestFailedException;
import io.redliner.collector.metrics.Labels;
import io.redliner.collector.metrics.MetricPoint;
import io.redliner.collector.metrics.MetricSeries;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Parses Prometheus' protobuf format: families one after the other, each with its length before it. */
final class ProtobufExpositionParser {

    private static final int NAME = tag(MetricFamily.NAME_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);

    private static final int TYPE = tag(MetricFamily.TYPE_FIELD_NUMBER, WireFormat.WIRETYPE_VARINT);

    private static final int METRIC = tag(MetricFamily.METRIC_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);

    /** The largest metric in bytes; a histogram with a thousand buckets and as many exemplars has less. */
    private static final int MAX_METRIC = 1 << 18;

    /** The largest number of labels, as for a line of text. */
    private static final int MAX_LABELS = 100;

    private final Instant now;

    private final ScrapeResult result;

    private ProtobufExpositionParser(Instant now, ScrapeResult result) {
        this.now = now;
        this.result = result;
    }

    /**
     * Parses an answer.
     *
     * @param now for samples without a time of their own
     */
    static void read(byte[] body, Instant now, ScrapeResult result) throws RequestFailedException {
        ProtobufExpositionParser parser = new ProtobufExpositionParser(now, result);
        CodedInputStream input = CodedInputStream.newInstance(body);
        try {
            while (!input.isAtEnd()) {
                int size = input.readRawVarint32();
                int begin = input.getTotalBytesRead();
                if (size < 0 || size > body.length - begin) {
                    throw RequestFailedException.malformed("the answer was cut off");
                }
                MetricFamily family = head(CodedInputStream.newInstance(body, begin, size));
                parser.family(family, CodedInputStream.newInstance(body, begin, size));
                input.skipRawBytes(size);
            }
        } catch (IOException e) {
            throw RequestFailedException.malformed("the answer is not protobuf as Prometheus has it, or was cut off: "
                    + e.getMessage());
        }
    }

    /** Reads the fields that apply to all of a family's metrics, wherever they stand. */
    private static MetricFamily head(CodedInputStream input) throws IOException {
        MetricFamily.Builder head = MetricFamily.newBuilder();
        for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
            if (tag == NAME) {
                head.setName(input.readString());
            } else if (tag == TYPE) {
                Optional.ofNullable(MetricType.forNumber(input.readEnum())).ifPresent(head::setType);
            } else {
                input.skipField(tag);
            }
        }
        return head.build();
    }

    /** Reads one metric after the other: an empty one has two bytes on the wire, and very many more in memory. */
    private void family(MetricFamily family, CodedInputStream input) throws IOException, RequestFailedException {
        if (family.getName().isEmpty()) {
            return;
        }
        for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
            if (tag == METRIC && result.admits()) {
                int size = input.readRawVarint32();
                if (size < 0 || size > MAX_METRIC) {
                    throw RequestFailedException.malformed("a metric is larger than " + MAX_METRIC + " bytes");
                }
                int limit = input.pushLimit(size);
                Metric metric = Metric.parseFrom(input);
                input.popLimit(limit);
                if (metric.getLabelCount() > MAX_LABELS) {
                    throw RequestFailedException.malformed("a metric has more than " + MAX_LABELS + " labels");
                }
                metric(family, metric);
            } else {
                input.skipField(tag);
            }
        }
    }

    private void metric(MetricFamily family, Metric metric) {
        Labels labels = labels(metric);
        Instant time = metric.hasTimestampMs() ? Instant.ofEpochMilli(metric.getTimestampMs()) : now;
        MetricSeries series = family.getType() == MetricType.COUNTER
                ? MetricSeries.counter(family.getName(), "", labels)
                : MetricSeries.named(family.getName(), "", labels);
        switch (family.getType()) {
            case COUNTER -> result.add(new MetricPoint.Total(series,
                    metric.getCounter().hasCreatedTimestamp()
                            ? instant(metric.getCounter().getCreatedTimestamp())
                            : null,
                    time, metric.getCounter().getValue()));
            case GAUGE -> level(series, time, metric.getGauge().getValue());
            case UNTYPED -> untyped(family.getName(), labels, time, metric.getUntyped().getValue());
            case SUMMARY -> result.add(summary(series, time, metric.getSummary()));
            case HISTOGRAM -> result.add(new MetricPoint.Histogram(series,
                    metric.getHistogram().hasCreatedTimestamp()
                            ? instant(metric.getHistogram().getCreatedTimestamp())
                            : null,
                    time, false, ProtobufHistograms.distribution(metric.getHistogram()), Double.NaN));
            case GAUGE_HISTOGRAM -> result.ignore();
        }
    }

    private void level(MetricSeries series, Instant time, double value) {
        if (MetricFamilyBuilder.isEmpty(series.family())) {
            result.ignore();
        } else {
            result.add(new MetricPoint.Level(series, time, value));
        }
    }

    private void untyped(String name, Labels labels, Instant time, double value) {
        if (name.endsWith("_total")) {
            result.add(new MetricPoint.Total(MetricSeries.counter(name, "", labels), null, time, value));
        } else {
            level(MetricSeries.named(name, "", labels), time, value);
        }
    }

    private static MetricPoint summary(MetricSeries series, Instant time, Summary summary) {
        TreeMap<Double, Double> quantiles = new TreeMap<>();
        for (Quantile quantile : summary.getQuantileList()) {
            quantiles.put(quantile.getQuantile(), quantile.getValue());
        }
        return new MetricPoint.Summary(series,
                summary.hasCreatedTimestamp() ? instant(summary.getCreatedTimestamp()) : null, time,
                summary.getSampleCount(), summary.getSampleSum(), quantiles);
    }

    private static Labels labels(Metric metric) {
        List<String> labels = new ArrayList<>(2 * metric.getLabelCount());
        for (LabelPair label : metric.getLabelList()) {
            labels.add(label.getName());
            labels.add(label.getValue());
        }
        return Labels.of(labels);
    }

    private static int tag(int field, int wireType) {
        return field << 3 | wireType;
    }

    private static @Nullable Instant instant(Timestamp timestamp) {
        return Math.abs(timestamp.getSeconds()) < 100_000_000_000L
                ? Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos())
                : null;
    }
}
