// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.catalog.KnownService;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.run.RedirectorReport.ProxyReport;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.LiveRunRepository.Contradicted;
import io.redliner.controller.service.persistence.LiveRunRepository;
import io.redliner.controller.service.persistence.SafetyRepository;
import io.redliner.controller.service.persistence.ServiceOwnerRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The services that redirectors report. */
@RestController
@RequestMapping("/api/v1/services")
class ServiceResource {

    /** Alarms of traffic that was measured and was not natural, of all services; the newest. */
    private static final int MAX_CONTRADICTED = 1000;

    private final ServiceCatalog catalog;

    private final RunRepository runs;

    private final LiveRunRepository live;

    private final ServiceOwnerRepository owners;

    private final SafetyRepository safety;

    private final CapacityRepository capacities;

    private final InstantSource clock;

    ServiceResource(ServiceCatalog catalog, RunRepository runs, LiveRunRepository live, ServiceOwnerRepository owners,
            SafetyRepository safety, CapacityRepository capacities, InstantSource clock) {
        this.catalog = catalog;
        this.runs = runs;
        this.live = live;
        this.owners = owners;
        this.safety = safety;
        this.capacities = capacities;
        this.clock = clock;
    }

    /**
     * A service by itself.
     *
     * @param reported what redirectors report; absent when none does
     * @param team that owns it; absent without an owner
     * @param harmBudget of the month; absent without one
     * @param tested whether a capacity of it is recorded
     */
    record ServiceDetailsView(String name, @Nullable ServiceView reported, @Nullable String team,
            HarmBudgetResource.@Nullable HarmBudgetView harmBudget, boolean tested) {}

    /**
     * A service; {@code proxies} are at most 20 of each redirector, those that are behind first; {@code liveRun} is the run that
     * holds it, {@code alarms} are problems that need a person's attention.
     */
    record ServiceView(String name, boolean fresh, Instant lastSeen, List<InstanceView> instances,
            List<ProxyView> proxies, int proxiesConnected, List<String> redirectors, @Nullable String liveRun,
            List<String> alarms) {}

    /** A proxy; {@code refusal} is what it refuses of the service's configuration, with its own words. */
    record ProxyView(String node, boolean connected, @Nullable String refusal) {

        static ProxyView of(ProxyReport proxy) {
            return new ProxyView(proxy.node(), proxy.connected(), proxy.error().isEmpty() ? null : proxy.error());
        }
    }

    /** An instance; the share is a ratio. */
    record InstanceView(String address, double naturalShare) {}

    /** @param alarmed whether only those with alarms are wanted */
    @GetMapping
    Page<ServiceView> list(@RequestParam(defaultValue = "false") boolean alarmed) {
        return Page.whole(views(catalog.services(), null).filter(service -> !alarmed || !service.alarms().isEmpty())
                .toList());
    }

    /** Returns a service that anything is known of. */
    @GetMapping("/{service}")
    ServiceDetailsView get(@PathVariable String service) {
        ServiceView reported = catalog.find(service).stream().flatMap(known -> views(List.of(known), service))
                .findFirst()
                .orElse(null);
        String team = owners.team(service).orElse(null);
        HarmBudgetResource.HarmBudgetView budget = HarmBudgetResource.HarmBudgetView
                .of(safety, service, clock.instant())
                .orElse(null);
        boolean tested = !capacities.newest(service, "", 1).isEmpty();
        if (reported == null && team == null && budget == null && !tested) {
            throw new ProblemException(ProblemType.NOT_FOUND, "no redirector reports service " + service
                    + ", and nothing is recorded of it");
        }
        return new ServiceDetailsView(service, reported, team, budget, tested);
    }

    /** @param only the name of the only service; null when there are others */
    private Stream<ServiceView> views(List<KnownService> services, @Nullable String only) {
        Map<String, String> holders = runs.holders();
        Map<String, List<Contradicted>> contradicted = live.contradicted(only, MAX_CONTRADICTED).stream()
                .collect(Collectors.groupingBy(Contradicted::service));
        return services.stream().map(service -> view(service, Optional.ofNullable(holders.get(service.name())),
                contradicted.getOrDefault(service.name(), List.of())));
    }

    /** Returns the alarms of a service. The overview tells those of its cards' runs by their first words, see unproven.js. */
    private static List<String> alarms(KnownService service, Optional<String> liveRun,
            List<Contradicted> contradicted) {
        Stream<String> notNatural = contradicted.stream().map(one -> "When run " + one.run() + " of " + service.name()
                + " was over, the traffic of " + one.sut() + " was measured, and it was not natural. "
                + (!service.fresh() || service.instance(one.sut()).isPresent()
                        ? "A later run that measures it ends this alarm."
                        : "The instance has left since; a proxy may still be wrong. Look at the traffic of the service,"
                                + " then take the run off the overview."));
        return Stream.concat(notNatural, service.alarms(liveRun).stream()).toList();
    }

    private static ServiceView view(KnownService service, Optional<String> liveRun, List<Contradicted> contradicted) {
        return new ServiceView(service.name(), service.fresh(), service.lastSeen(),
                service.instances()
                        .stream()
                        .map(instance -> new InstanceView(instance.address(), instance.naturalShare().ratio()))
                        .toList(),
                service.proxies().stream().map(ProxyView::of).toList(), service.proxiesConnected(),
                service.redirectors(), liveRun.orElse(null), alarms(service, liveRun, contradicted));
    }
}
