// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.run.RunOrder;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.core.series.SeriesDecider;
import io.redliner.controller.core.series.SeriesDecider.SeriesEvent;
import io.redliner.controller.core.series.SeriesPlanner;
import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.series.StoredSeries;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.persistence.SeriesRepository;
import io.redliner.controller.service.submission.RunSubmissionService;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes plans that are made of several runs. */
public final class SeriesService {

    private static final int ATTEMPTS = 10;

    private final SeriesRepository repository;

    private final RunSubmissionService submission;

    private final RegressionInstanceSelector selector;

    private final PlanWriter writer;

    private final InstantSource clock;

    SeriesService(SeriesRepository repository, RunSubmissionService submission, PlanWriter writer,
            InstantSource clock) {
        this.repository = repository;
        this.submission = submission;
        this.selector = new RegressionInstanceSelector(submission);
        this.writer = writer;
        this.clock = clock;
    }

    /**
     * The runs of a series that could be started.
     *
     * @param sides the sides of a regression whose instance the plan does not name
     */
    public record Foreseen(List<RunOrder> runs, List<SeriesState.Side> sides) {}

    /**
     * Finds out the runs of a series without starting anything.
     *
     * @param id of the series; a random choice of an instance depends on it
     * @param deployment id of the deployment that starts it; absent without one
     * @throws RunRejectedException when one of its runs could not be started
     */
    public Foreseen resolve(Plan plan, String id, @Nullable String deployment) {
        List<SeriesState.Side> chosen = selector.choose(plan, id, deployment);
        List<RunOrder> orders = new ArrayList<>();
        for (SeriesState.Member member : SeriesPlanner.begin(id, plan, chosen).members()) {
            orders.add(submission.resolve(SeriesPlanner.member(plan, member), id, deployment));
        }
        return new Foreseen(orders, chosen);
    }

    /**
     * Begins a series; its first run is started within a second.
     *
     * @param deployment id of the one that starts it; absent without one
     * @param idempotencyKey the same key and body give the same series
     * @throws RunRejectedException when one of its runs could not be started, or the key was used with another body
     */
    public StoredSeries submit(Plan plan, @Nullable String deployment, @Nullable String idempotencyKey,
            String bodyHash) {
        Optional<String> earlier = repository.findByIdempotencyKey(idempotencyKey, bodyHash);
        if (earlier.isPresent()) {
            return find(earlier.get()).orElseThrow();
        }
        String id = UUID.randomUUID().toString();
        Foreseen foreseen = resolve(plan, id, deployment);
        StoredSeries series = new StoredSeries(id, plan.service(), writer.canonical(plan),
                SeriesPlanner.begin(id, plan, foreseen.sides()), 0, clock.instant().truncatedTo(ChronoUnit.MILLIS),
                null);
        if (repository.add(series, idempotencyKey, bodyHash)) {
            return series;
        }
        return find(repository.findByIdempotencyKey(idempotencyKey, bodyHash).orElseThrow()).orElseThrow();
    }

    /**
     * Returns the series with this id.
     *
     * @throws io.redliner.controller.service.persistence.UnreadableRowException when it is there and cannot be read
     */
    public Optional<StoredSeries> find(String id) {
        return repository.find(id);
    }

    /** Returns the newest series of a plan since an instant. */
    public Optional<StoredSeries> newestOfPlan(String plan, Instant since) {
        return repository.newestOfPlan(plan, since);
    }

    /** Series, newest first; {@code before} is the last of the page before; without {@code over}, live ones and others. */
    public List<StoredSeries> list(SeriesRepository.@Nullable Position before, int limit, @Nullable Boolean over) {
        return repository.list(before, limit, over);
    }

    /** Asks for the end of a series, and of its run; empty when there is none, or it is over already. */
    public Optional<StoredSeries> abort(String id, String reason) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<StoredSeries> found = repository.find(id);
            if (found.isEmpty() || found.get().finishedAt() != null) {
                return Optional.empty();
            }
            StoredSeries after = found.get().next(SeriesDecider.decide(found.get().state(),
                    new SeriesEvent.AbortRequested(reason), clock.instant()).state());
            if (repository.change(found.get(), after)) {
                return Optional.of(after);
            }
        }
        throw new IllegalStateException("series " + id + " is changed by others all the time");
    }
}
