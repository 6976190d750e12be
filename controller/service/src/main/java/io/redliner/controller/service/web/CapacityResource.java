// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.address.InstanceAddress;
import io.redliner.controller.core.capacity.CapacityChange;
import io.redliner.controller.core.capacity.CapacityTrend;
import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.service.persistence.CapacityRecord;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.StoredCapacity;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The capacities that were found. */
@RestController
@RequestMapping("/api/v1/capacities")
class CapacityResource {

    private static final int MAX_ITEMS = 1000;

    /** The largest number of points of a trend, as each pair of them is compared. */
    private static final int MAX_POINTS = 1000;

    private final CapacityRepository capacities;

    CapacityResource(CapacityRepository capacities) {
        this.capacities = capacities;
    }

    /**
     * The trend of a service's capacity, in requests/s per 30 days.
     *
     * @param points capacities that it was made of
     * @param leftOut capacities that are only lower bounds, or have no other of their instance and hardware
     * @param slopePer30Days absent when too few are known
     * @param lowPer30Days lower end of the 95 % interval; absent when there are too few to tell
     * @param distinguishable whether the interval leaves no change out
     */
    record TrendView(String service, int points, int leftOut, @Nullable Double slopePer30Days,
            @Nullable Double lowPer30Days, @Nullable Double highPer30Days, boolean distinguishable,
            @Nullable Instant from, @Nullable Instant to, String explanation) {}

    @GetMapping
    Page<CapacityView> newest(@RequestParam(defaultValue = "100") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        int pageSize = RequestParameters.between("limit", 1, limit, MAX_ITEMS);
        return byInstance(capacities.newest(PageToken.readInstance(pageToken), pageSize + 1), pageSize);
    }

    @GetMapping("/{service}")
    Page<CapacityView> newest(@PathVariable String service, @RequestParam(defaultValue = "100") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        int pageSize = RequestParameters.between("limit", 1, limit, MAX_ITEMS);
        List<StoredCapacity> found = capacities.newest(service, PageToken.readInstance(pageToken).instance(),
                pageSize + 1);
        if (found.isEmpty() && pageToken == null) {
            throw unknown(service);
        }
        return byInstance(found, pageSize);
    }

    private static Page<CapacityView> byInstance(List<StoredCapacity> found, int pageSize) {
        return Page.of(found, pageSize, CapacityView::of,
                last -> PageToken.write(last.record().service(), last.record().instance()));
    }

    @GetMapping("/{service}/history")
    Page<CapacityView> history(@PathVariable String service, @RequestParam(required = false) @Nullable String instance,
            @RequestParam(required = false) @Nullable String version,
            @RequestParam(required = false) @Nullable String hardware,
            @RequestParam(required = false) @Nullable String since, @RequestParam(defaultValue = "100") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        int pageSize = RequestParameters.between("limit", 1, limit, MAX_ITEMS);
        return Page.of(capacities.history(new CapacityRepository.Filter(service, canonical(instance), version, hardware,
                RequestParameters.instant("since", since), PageToken.readCapacity(pageToken), pageSize + 1)), pageSize,
                CapacityView::of, last -> PageToken.write(last.record().recordedAt().toString(),
                        Long.toString(last.id())));
    }

    @GetMapping("/{service}/trend")
    TrendView trend(@PathVariable String service, @RequestParam(required = false) @Nullable String instance,
            @RequestParam(required = false) @Nullable String version,
            @RequestParam(required = false) @Nullable String hardware,
            @RequestParam(required = false) @Nullable String since) {
        List<StoredCapacity> found = capacities
                .history(new CapacityRepository.Filter(service, canonical(instance), version, hardware,
                        RequestParameters.instant("since", since), null, MAX_POINTS));
        if (found.isEmpty()) {
            throw unknown(service);
        }
        CapacityTrend trend = CapacityTrend.of(found.stream()
                .filter(one -> !one.record().lowerBound())
                .map(one -> new CapacityTrend.Point(one.record().instance() + " " + one.hardware(),
                        one.record().recordedAt(),
                        one.record().capacity()))
                .toList());
        return new TrendView(service, trend.points(), found.size() - trend.points(), trend.slope(), trend.low(),
                trend.high(), trend.distinguishable(), found.getLast().record().recordedAt(),
                found.getFirst().record().recordedAt(), explanation(trend));
    }

    private static @Nullable String canonical(@Nullable String instance) {
        return instance == null ? null : InstanceAddress.canonical(instance);
    }

    private static String explanation(CapacityTrend trend) {
        if (trend.slope() == null) {
            return "no instance has two capacities to compare";
        }
        if (trend.low() == null) {
            return "too few capacities to say whether there is a trend";
        }
        return trend.distinguishable()
                ? trend.slope() > 0 ? "the capacity rises" : "the capacity falls"
                : "no significant trend";
    }

    private static ProblemException unknown(String service) {
        return new ProblemException(ProblemType.NOT_FOUND, "no capacity of service " + service + " is known");
    }

    /**
     * A capacity; rates are requests/s.
     *
     * @param version of the software that it was found with; absent when unknown
     * @param hardware class of the instance; absent when unknown
     * @param doubts the names of the checks that do not hold
     * @param previous of the same instance, and the change since; absent for the first
     * @param combined with what earlier runs found; absent when none counts, and when this one may not be combined
     */
    record CapacityView(String service, String instance, double capacity, double low, double high, boolean lowerBound,
            String limitingRule, @Nullable Double limitingValue, @Nullable Double limitingThreshold,
            @Nullable Double lastGood, @Nullable Double firstBad, double harmRequests, double durationSeconds,
            String plan,
            String planHash, String runId, Instant recordedAt, List<SearchConclusion.Finding> bottleneck,
            List<SearchConclusion.ValidityCheck> validity, List<String> doubts, Certainty certainty,
            @Nullable String version,
            @Nullable String hardware,
            @Nullable PreviousView previous, @Nullable KnownCapacity combined) {

        /** The capacity that was known before; the change is in percent of it, with its 95 % interval. */
        record PreviousView(String runId, @Nullable String version, double capacity, double low, double high,
                boolean lowerBound, double changePercent, @Nullable Double changeLowPercent,
                @Nullable Double changeHighPercent, CapacityChange.Significance significance) {

            static @Nullable PreviousView of(StoredCapacity found) {
                StoredCapacity.Previous previous = found.previous();
                CapacityChange change = found.change().orElse(null);
                return previous == null || change == null
                        ? null
                        : new PreviousView(previous.runId(), previous.version(), previous.measured().capacity(),
                                previous.measured().low(), previous.measured().high(), previous.measured().lowerBound(),
                                change.percent(), change.lowPercent(), change.highPercent(), change.significance());
            }
        }

        static CapacityView of(StoredCapacity stored) {
            CapacityRecord capacity = stored.record();
            SearchConclusion conclusion = capacity.conclusion();
            Certainty certainty = Certainty.of(conclusion);
            return new CapacityView(capacity.service(), capacity.instance(), capacity.capacity(), capacity.low(),
                    capacity.high(),
                    capacity.lowerBound(), capacity.limitingRule(), capacity.limitingValue(),
                    capacity.limitingThreshold(),
                    capacity.lastGood(), capacity.firstBad(), capacity.harmRequests(),
                    capacity.runDuration().toMillis() / 1000.0,
                    capacity.planName(), capacity.planHash(), capacity.runId(), capacity.recordedAt(),
                    conclusion == null ? List.of() : conclusion.bottleneck(),
                    conclusion == null ? List.of() : conclusion.validity(),
                    certainty.doubts(), certainty, stored.version(), stored.hardware(),
                    PreviousView.of(stored), capacity.combined());
        }
    }
}
