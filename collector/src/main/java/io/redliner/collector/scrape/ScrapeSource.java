// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.concurrent.WorkerThread;
import io.redliner.collector.http.BoundedHttpClient;
import io.redliner.collector.http.RequestFailedException;
import io.redliner.collector.http.RequestFailedException.RequestFailureReason;
import io.redliner.collector.metrics.MetricPoint;
import io.redliner.collector.metrics.MetricTranslator;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.source.MetricSource;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.MeasurementSink;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scrapes all instances that have a scrape URL, each once in the interval, spread over it. A request that hangs is cancelled after
 * the timeout, and delays no other target.
 */
public final class ScrapeSource implements MetricSource {

    private static final Logger log = LoggerFactory.getLogger(ScrapeSource.class);

    private static final String THREADS = "redliner-collector-scrape";

    /** Two threads, so that one large answer does not stop all others. */
    private static final int WORKERS = 2;

    private static final int MAX_SHOWN = 10;

    private static final long MAX_NAP_MILLIS = 1_000;

    private static final long NAP_WHEN_FULL_MILLIS = 50;

    private final List<ScrapeTarget> targets;

    private final ScrapeClient client;

    private final ExecutorService executor;

    private final Semaphore free;

    private final Duration hold;

    private final MetricTranslator translator;

    private final MeasurementSink measurements;

    private final InstantSource clock;

    private final ScrapeMetrics metrics;

    private final WorkerThread worker;

    /**
     * The index of the target that the next turn begins with: the first that found no free request in the last turn. Otherwise
     * hanging targets before it would always take its place.
     */
    private int first;

    private ScrapeSource(ScrapeProperties properties, List<Target> all, MetricTranslator translator,
            MeasurementSink measurements, ScrapeMetrics metrics, InstantSource clock) {
        this.targets = scraped(properties, all, clock);
        this.executor = Executors.newFixedThreadPool(WORKERS, Thread.ofPlatform().name(THREADS + "-", 0).daemon()
                .factory());
        this.client = new ScrapeClient(properties, executor);
        this.free = new Semaphore(properties.parallel());
        this.hold = properties.interval().plus(properties.timeout());
        this.translator = translator;
        this.measurements = measurements;
        this.metrics = metrics;
        this.clock = clock;
        this.worker = WorkerThread.start(THREADS, this::runOnce);
    }

    /** Starts the thread that scrapes. */
    public static ScrapeSource start(ScrapeProperties properties, List<Target> targets, MetricTranslator translator,
            MeasurementSink measurements, ScrapeMetrics metrics, InstantSource clock) {
        return new ScrapeSource(properties, targets, translator, measurements, metrics, clock);
    }

    @Override
    public String name() {
        return "scrape";
    }

    @Override
    public SourceHealth health() {
        Map<String, Object> details = new TreeMap<>(
                Map.of("targets", targets.size(), "asked", metrics.scrapes(), "answered",
                        metrics.answered(), "series", translator.series(), "samplesCut", metrics.cut()));
        translator.metrics().dropped().forEach((reason, points) -> details.put("dropped." + reason, points));
        translator.refused().forEach((instanceId, names) -> details.put("notMeasured." + instanceId, names));
        if (!worker.isAlive()) {
            details.put("reason", worker.failure().map(Throwable::toString).orElse("closed"));
            return SourceHealth.dead(details);
        }
        Map<String, String> complaints = new TreeMap<>();
        long failing = 0;
        for (ScrapeTarget target : targets) {
            Optional<String> problem = target.problem();
            failing += problem.isPresent() ? 1 : 0;
            if (problem.isPresent() && complaints.size() < MAX_SHOWN) {
                complaints.put(target.instanceId().toString(), problem.get());
            }
        }
        translator.problems(clock.instant()).forEach(complaints::putIfAbsent);
        if (complaints.isEmpty()) {
            return SourceHealth.working(details);
        }
        details.put("failing", failing);
        details.put("reason", complaints);
        return SourceHealth.impaired(details);
    }

    @Override
    public void close() {
        worker.close();
        client.close();
        executor.shutdownNow();
    }

    private void runOnce(WorkerThread.Pause pause) throws InterruptedException {
        Instant now = clock.instant();
        long wait = MAX_NAP_MILLIS;
        boolean full = false;
        int begin = first;
        for (int step = 0; step < targets.size(); step++) {
            int at = (begin + step) % targets.size();
            long left = targets.get(at).millisToWait(now);
            if (left > 0) {
                wait = Math.min(wait, left);
            } else if (!full && free.tryAcquire()) {
                scrape(targets.get(at));
            } else {
                first = full ? first : at;
                full = true;
                wait = Math.min(wait, NAP_WHEN_FULL_MILLIS);
            }
        }
        pause.take(Duration.ofMillis(wait));
    }

    /** Sends a request, with the permit that the caller took, and returns the permit at the end. */
    private void scrape(ScrapeTarget target) {
        Instant now = clock.instant();
        if (!target.begin(now)) {
            free.release();
            return;
        }
        metrics.countScrape();
        var unused = client.scrape(target.uri(), now).thenAccept(result -> take(target, result, now))
                .whenComplete((nothing, failure) -> {
                    free.release();
                    if (failure != null) {
                        fail(target, failure);
                    }
                });
    }

    private void take(ScrapeTarget target, ScrapeResult result, Instant now) {
        List<GaugeMeasurement> measured = translator.translate(target.instanceId(), result.points(), now, hold);
        measurements.take(measured);
        measurements.take(MetricTranslator.offset(target.instanceId(), result.points(), now, hold));
        metrics.answer(result);
        target.answered(problem(result, now));
    }

    private static @Nullable String problem(ScrapeResult result, Instant now) {
        if (result.cut() > 0) {
            return "tells " + result.cut() + " series more than are read; see redliner.collector.scrape.max-series";
        }
        for (MetricPoint point : result.points()) {
            Duration ahead = Duration.between(now, point.time());
            if (ahead.compareTo(MetricTranslator.TOLERANCE) > 0) {
                return "tells times of its own, and that of " + BoundedHttpClient.cut(point.series().toString())
                        + " is "
                        + ahead.toSeconds() + " s ahead";
            }
        }
        return null;
    }

    private void fail(ScrapeTarget target, Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
        metrics.fail(cause instanceof RequestFailedException known ? known.reason() : RequestFailureReason.UNREACHABLE);
        String what = cause instanceof RequestFailedException ? String.valueOf(cause.getMessage()) : cause.toString();
        if (!Optional.of(what).equals(target.problem())) {
            log.warn("Source scrape: {} {} ({})", target.instanceId(), what, target.place());
        }
        target.failed(what, clock.instant());
    }

    /** Returns the targets that have a scrape URL, with their moments spread over the interval. */
    static List<ScrapeTarget> scraped(ScrapeProperties properties, List<Target> all, InstantSource clock) {
        List<Target> some = all.stream().filter(target -> target.scrape().isPresent()).toList();
        List<ScrapeTarget> scraped = new ArrayList<>();
        for (Target target : some) {
            scraped.add(new ScrapeTarget(target.instanceId(), target.scrape().orElseThrow(), properties.interval(),
                    properties.interval().multipliedBy(scraped.size()).dividedBy(some.size()), clock));
        }
        return List.copyOf(scraped);
    }
}
