// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.sizing.Demand;
import io.redliner.controller.core.sizing.FleetAssessment;
import io.redliner.controller.core.sizing.Headroom;
import io.redliner.controller.service.persistence.ActivityRepository;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.PeakTrafficRepository;
import io.redliner.controller.service.persistence.ScheduleQueries;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The load that the present fleets can take. An unknown value is reported as unknown, never as sufficient. */
@RestController
@RequestMapping("/api/v1")
class HeadroomResource {

    private final FleetService fleets;

    private static final int MAX_SERVICES = 10_000;

    /** Capacities of the past, of each service. */
    private static final int MAX_RECENT = 12;

    private final CapacityRepository capacities;

    private final ScheduleQueries schedules;

    private final ActivityRepository activity;

    private final CapacityProperties properties;

    HeadroomResource(FleetService fleets, CapacityRepository capacities, ScheduleQueries schedules,
            ActivityRepository activity, CapacityProperties properties) {
        this.fleets = fleets;
        this.capacities = capacities;
        this.schedules = schedules;
        this.activity = activity;
        this.properties = properties;
    }

    /**
     * The highest rate of a service.
     *
     * @param source {@code measured} or {@code given}
     */
    record PeakView(double requestsPerSecond, String source, @Nullable Instant at, @Nullable String runId,
            boolean stale) {}

    /**
     * A load, and the headroom that it leaves with the whole fleet and without a failure domain.
     *
     * @param load requests/s; absent when the peak is unknown
     */
    record Survival(@Nullable Double load, Headroom wholeFleet, Headroom domainLost) {}

    /**
     * Headroom of a service.
     *
     * @param today at the peak
     * @param grown at the peak with the requested growth
     */
    record HeadroomView(String service, int instances, @Nullable PeakView peak, double growth, Survival today,
            Survival grown, List<CapacityBasis> capacities, boolean stale) {}

    /**
     * The instances that a service has and needs; rates are requests/s.
     *
     * @param free part of the fleet's capacity that the peak with its growth leaves, negative when it is exceeded; absent
     *            when unknown
     * @param recent capacities that were found lately and can be compared with the newest, oldest first
     * @param lastRun the newest one that is over; absent without any
     * @param nextStart of one of its plans by itself; absent when none starts by the clock
     */
    record ProvisionView(String service, FleetAssessment.Verdict verdict, int instances, @Nullable Long needed,
            @Nullable Long surplus, @Nullable Double free, @Nullable String hardware, @Nullable PeakView peak,
            List<CapacityBasis> capacities, boolean stale, String reason, List<CapacityRepository.Point> recent,
            ScheduleQueries.@Nullable NextStart nextStart, ActivityRepository.@Nullable RunSpan lastRun) {}

    /**
     * Services, the urgent first.
     *
     * @param services how many there are, whatever the limit
     */
    record ProvisionList(double headroom, double growth, @Nullable Integer failureDomains, int services,
            List<ProvisionView> items) {}

    @GetMapping("/services/{service}/headroom")
    HeadroomView headroom(@PathVariable String service, @RequestParam(defaultValue = "50%") String growth,
            @RequestParam(required = false) @Nullable String peak,
            @RequestParam(required = false) @Nullable Integer failureDomains) {
        double factor = 1 + RequestParameters.part("growth", growth).doubleValue();
        Integer domains = failureDomains == null
                ? null
                : RequestParameters.between("failureDomains", 2, failureDomains, 1000);
        PeakView given = peak == null
                ? null
                : new PeakView(RequestParameters.rate("peak", peak), "given", null, null, false);
        FleetService.Fleet fleet = fleets.find(service)
                .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND,
                        "no redirector reports service " + service + ", and no capacity of it is known"));
        PeakView used = given == null ? measured(fleet.peak()) : given;
        Double load = used == null ? null : used.requestsPerSecond();
        return new HeadroomView(service, fleet.instances().size(), used, factor - 1, survival(fleet, load, domains),
                survival(fleet, load == null ? null : load * factor, domains), fleet.bases(), stale(fleet, used));
    }

    private static Survival survival(FleetService.Fleet fleet, @Nullable Double load, @Nullable Integer domains) {
        return new Survival(load, Headroom.of(fleet.instances(), load),
                domains == null
                        ? Headroom.withoutAnyDomain(fleet.instances(), load)
                        : Headroom.withoutLargest(fleet.instances(), load, domains));
    }

    @GetMapping("/sizing/fleet")
    ProvisionList fleet(@RequestParam(required = false) @Nullable String headroom,
            @RequestParam(defaultValue = "0%") String growth,
            @RequestParam(required = false) @Nullable Integer failureDomains,
            @RequestParam(required = false) @Nullable String search,
            @RequestParam(defaultValue = "10000") int limit) {
        RequestParameters.between("limit", 1, limit, MAX_SERVICES);
        String wanted = search == null ? "" : search.toLowerCase(Locale.ROOT);
        BigDecimal free = headroom == null ? properties.headroom() : RequestParameters.part("headroom", headroom);
        if (free.compareTo(BigDecimal.ONE) >= 0) {
            throw RequestParameters.refuse("headroom", "headroom must be below 100%");
        }
        BigDecimal factor = BigDecimal.ONE.add(RequestParameters.part("growth", growth));
        int domains = failureDomains == null ? 1 : RequestParameters.between("failureDomains", 2, failureDomains, 1000);
        Comparator<Judged> urgency = Comparator.comparing(Judged::provision, FleetAssessment.URGENCY)
                .thenComparing(judged -> judged.fleet().service());
        List<Judged> found = fleets.all()
                .stream()
                .filter(fleet -> fleet.service().toLowerCase(Locale.ROOT).contains(wanted))
                .map(fleet -> judged(fleet, free, factor, domains))
                .sorted(urgency)
                .toList();
        List<Judged> shown = found.subList(0, Math.min(limit, found.size()));
        return new ProvisionList(free.doubleValue(), factor.doubleValue() - 1, failureDomains, found.size(),
                views(shown));
    }

    private List<ProvisionView> views(List<Judged> shown) {
        List<String> names = shown.stream().map(judged -> judged.fleet().service()).toList();
        Map<String, List<CapacityRepository.Point>> recent = capacities.recent(names, MAX_RECENT);
        Map<String, ScheduleQueries.NextStart> next = schedules.next(names);
        Map<String, ActivityRepository.RunSpan> last = activity.last(names);
        return shown.stream().map(judged -> {
            String service = judged.fleet().service();
            FleetAssessment assessment = judged.provision();
            PeakView peak = measured(judged.fleet().peak());
            return new ProvisionView(service, assessment.verdict(), assessment.instances(), assessment.needed(),
                    assessment.surplus(), judged.free(), assessment.hardware(), peak, judged.fleet().bases(),
                    stale(judged.fleet(), peak), assessment.reason(), recent.getOrDefault(service, List.of()),
                    next.get(service), last.get(service));
        }).toList();
    }

    private record Judged(FleetService.Fleet fleet, FleetAssessment provision, @Nullable Double free) {}

    private static Judged judged(FleetService.Fleet fleet, BigDecimal headroom, BigDecimal factor, int domains) {
        PeakTrafficRepository.Peak peak = fleet.peak();
        Double load = peak == null ? null : peak.requestsPerSecond() * factor.doubleValue();
        return new Judged(fleet, provision(fleet, headroom, factor, domains),
                fleet.reported() ? Headroom.of(fleet.instances(), load).free() : null);
    }

    private static FleetAssessment provision(FleetService.Fleet fleet, BigDecimal headroom, BigDecimal factor,
            int domains) {
        if (!fleet.reported()) {
            return FleetAssessment.unknown(0, "no redirector reports the service at present");
        }
        PeakTrafficRepository.Peak peak = fleet.peak();
        return FleetAssessment.of(fleet.instances(), peak == null
                ? null
                : new Demand(BigDecimal.valueOf(peak.requestsPerSecond()).multiply(factor), headroom, domains,
                        domains > 1, headroom));
    }

    private @Nullable PeakView measured(PeakTrafficRepository.@Nullable Peak peak) {
        return peak == null
                ? null
                : new PeakView(peak.requestsPerSecond(), "measured", peak.at(), peak.runId(), fleets.stale(peak));
    }

    private static boolean stale(FleetService.Fleet fleet, @Nullable PeakView peak) {
        return (peak != null && peak.stale()) || fleet.bases().stream().anyMatch(CapacityBasis::stale);
    }
}
