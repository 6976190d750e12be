// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsPartialSuccess;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.redliner.collector.metrics.MetricPoint;
import io.redliner.collector.metrics.MetricTranslator;
import io.redliner.collector.otlp.OtlpMetrics.PointRejectionReason;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.collector.windowing.MeasurementSink;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Receives messages of either transport: decodes their points, and hands on the measurements. For any number of threads. */
final class OtlpReceiver {

    private static final String CLOCK = "its clock is ";

    private final ResourceInstanceResolver instanceResolver;

    private final MetricTranslator translator;

    private final MeasurementSink measurements;

    private final OtlpMetrics metrics;

    private final InstantSource clock;

    private final PushIntervalEstimator intervals = new PushIntervalEstimator();

    private final RecentErrors recentErrors = new RecentErrors();

    OtlpReceiver(ResourceInstanceResolver instanceResolver, MetricTranslator translator, MeasurementSink measurements,
            OtlpMetrics metrics, InstantSource clock) {
        this.instanceResolver = instanceResolver;
        this.translator = translator;
        this.measurements = measurements;
        this.metrics = metrics;
        this.clock = clock;
    }

    /**
     * Receives a message.
     *
     * @param from the sender's address, if known
     * @return the answer to the sender: all points were accepted, or how many were rejected and why
     */
    ExportMetricsServiceResponse take(ExportMetricsServiceRequest message, Optional<InetAddress> from) {
        Instant now = clock.instant();
        PartialSuccess partialSuccess = new PartialSuccess();
        Map<InstanceId, List<MetricPoint>> points = new LinkedHashMap<>();
        for (ResourceMetrics metrics : message.getResourceMetricsList()) {
            read(metrics, from, now, partialSuccess, points);
        }
        metrics.add(partialSuccess);
        points.forEach((instanceId, ofSubject) -> handOn(instanceId, ofSubject, now));
        if (partialSuccess.refusedPoints() == 0) {
            return ExportMetricsServiceResponse.getDefaultInstance();
        }
        return ExportMetricsServiceResponse.newBuilder()
                .setPartialSuccess(ExportMetricsPartialSuccess.newBuilder()
                        .setRejectedDataPoints(partialSuccess.refusedPoints())
                        .setErrorMessage(partialSuccess.describe()))
                .build();
    }

    private void read(ResourceMetrics metrics, Optional<InetAddress> from, Instant now, PartialSuccess partialSuccess,
            Map<InstanceId, List<MetricPoint>> points) {
        Optional<InstanceId> instanceId = instanceResolver.instanceId(metrics.getResource().getAttributesList(), from);
        if (instanceId.isEmpty()) {
            partialSuccess.refuse(PointRejectionReason.UNKNOWN_INSTANCE, count(metrics));
            recentErrors.add(sender(metrics, from), "its instance is not known: set its resource attribute "
                    + ResourceInstanceResolver.INSTANCE + " to the address that proxies know", now);
            return;
        }
        PartialSuccess own = new PartialSuccess();
        OtlpPointDecoder decoder = new OtlpPointDecoder(now,
                points.computeIfAbsent(instanceId.get(), unused -> new ArrayList<>()),
                own);
        metrics.getScopeMetricsList().forEach(decoder::read);
        partialSuccess.add(own);
        if (own.refusedPoints() > 0) {
            recentErrors.add(instanceId.get().toString(), own.describe(), now);
        }
    }

    private void handOn(InstanceId instanceId, List<MetricPoint> points, Instant now) {
        if (points.isEmpty()) {
            return;
        }
        points.sort(Comparator.comparing(MetricPoint::time));
        Duration off = Duration.between(now, points.getLast().time());
        if (off.abs().compareTo(MetricTranslator.TOLERANCE) > 0) {
            recentErrors.add(instanceId.toString(), CLOCK + off.toSeconds() + " s off", now);
        } else {
            recentErrors.remove(instanceId.toString(), CLOCK);
        }
        Duration hold = intervals.hold(instanceId, now);
        measurements.take(translator.translate(instanceId, points, now, hold));
        measurements.take(MetricTranslator.offset(instanceId, points, now, hold));
    }

    private static String sender(ResourceMetrics metrics, Optional<InetAddress> from) {
        String service = OtlpAttributes.value(metrics.getResource().getAttributesList(), "service.name");
        return (service.isEmpty() ? "someone without service.name" : service) + " at "
                + from.map(InetAddress::getHostAddress).orElse("an unknown address");
    }

    private static long count(ResourceMetrics metrics) {
        return metrics.getScopeMetricsList().stream().flatMap(scope -> scope.getMetricsList().stream())
                .mapToLong(OtlpPointDecoder::count).sum();
    }

    /** Notes a message that could not be read. */
    void broken(Optional<InetAddress> from, String reason) {
        metrics.addBrokenMessage();
        recentErrors.add(from.map(InetAddress::getHostAddress).orElse("an unknown address"), reason, clock.instant());
    }

    /** Returns the recent errors of messages and of their points, by sender. */
    Map<String, String> problems() {
        Instant now = clock.instant();
        Map<String, String> all = new TreeMap<>(recentErrors.recent(now));
        translator.problems(now)
                .forEach((sender, message) -> all.merge(sender, message, (one, other) -> one + "; " + other));
        return all;
    }

    /** Returns the number of points that were handed on and not used, by reason. */
    Map<String, Long> dropped() {
        return translator.metrics().dropped();
    }

    /** Returns examples of series that are not measured, for each instance with too many series. */
    Map<InstanceId, List<String>> tooMany() {
        return translator.refused();
    }

    OtlpMetrics metrics() {
        return metrics;
    }

    /** The errors of messages in the last five minutes, by sender; not more than a screenful. */
    private static final class RecentErrors {

        private static final Duration LIFE = Duration.ofMinutes(5);

        private static final int MAX_SENDERS = 10;

        private static final int MAX_LENGTH = 120;

        private final Map<String, RecentError> bySender = new LinkedHashMap<>();

        private record RecentError(String message, Instant at) {}

        /** Adds an error; the last one of each sender counts. */
        synchronized void add(String sender, String message, Instant now) {
            String name = shortened(sender);
            forget(now);
            if (bySender.size() < MAX_SENDERS || bySender.containsKey(name)) {
                bySender.put(name, new RecentError(shortened(message), now));
            }
        }

        /** Removes the error of a sender, if it begins with the given words. */
        synchronized void remove(String sender, String beginning) {
            bySender.computeIfPresent(shortened(sender),
                    (name, error) -> error.message().startsWith(beginning) ? null : error);
        }

        /** Returns the errors of the last five minutes. */
        synchronized Map<String, String> recent(Instant now) {
            forget(now);
            Map<String, String> recent = new TreeMap<>();
            bySender.forEach((sender, error) -> recent.put(sender, error.message()));
            return recent;
        }

        private void forget(Instant now) {
            Instant oldest = now.minus(LIFE);
            bySender.values().removeIf(error -> error.at().isBefore(oldest));
        }

        private static String shortened(String text) {
            return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
        }
    }

    /**
     * Estimates how often each instance pushes, so that a measurement holds until the next one is due. No message carries the
     * interval. It is estimated from the last messages, some of which can arrive at the same time.
     */
    private static final class PushIntervalEstimator {

        /** The hold of an instance whose interval is not known: services push every 60 seconds by default. */
        static final Duration UNKNOWN = Duration.ofSeconds(90);

        private static final Duration MIN_HOLD = Duration.ofSeconds(1);

        private static final int MAX_INSTANCES = 1_000;

        private static final int LAST = 8;

        private final Map<InstanceId, Intervals> instances = new LinkedHashMap<>(16, 0.75f, true);

        /** Notes a message, and returns how long its measurements hold. */
        synchronized Duration hold(InstanceId instanceId, Instant now) {
            Intervals ofInstance = instances.computeIfAbsent(instanceId, unused -> new Intervals());
            if (instances.size() > MAX_INSTANCES) {
                instances.remove(instances.keySet().iterator().next());
            }
            return ofInstance.next(now);
        }

        private static final class Intervals {

            private final Deque<Duration> intervals = new ArrayDeque<>();

            private Instant last = Instant.MIN;

            Duration next(Instant now) {
                if (last.equals(Instant.MIN) || now.isBefore(last)) {
                    last = now;
                    return UNKNOWN;
                }
                intervals.addLast(Duration.between(last, now));
                last = now;
                if (intervals.size() > LAST) {
                    intervals.removeFirst();
                }
                Duration longest = intervals.stream().max(Duration::compareTo).orElse(UNKNOWN);
                Duration hold = longest.plus(longest.dividedBy(2));
                return hold.compareTo(UNKNOWN) > 0 ? UNKNOWN : hold.compareTo(MIN_HOLD) < 0 ? MIN_HOLD : hold;
            }
        }
    }
}
