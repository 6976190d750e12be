// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.catalog.KnownService;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.run.RedirectorReport.ProxyReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The services that redirectors report. */
@RestController
@RequestMapping("/api/v1/services")
class ServiceResource {

    private final ServiceCatalog catalog;

    private final RunRepository runs;

    ServiceResource(ServiceCatalog catalog, RunRepository runs) {
        this.catalog = catalog;
        this.runs = runs;
    }

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

    @GetMapping
    Page<ServiceView> list() {
        List<KnownService> services = catalog.services();
        Map<String, String> live = runs.holders();
        Map<String, String> contradicted = runs.contradicted(services.stream().map(KnownService::name).toList());
        return Page.whole(services.stream().map(service -> view(service,
                Optional.ofNullable(live.get(service.name())), Optional.ofNullable(contradicted.get(service.name()))))
                .toList());
    }

    private static List<String> alarms(KnownService service, Optional<String> liveRun, Optional<String> contradicted) {
        Stream<String> notNatural = contradicted.stream()
                .map(run -> "When run " + run + " of " + service.name()
                        + " was over, its traffic was measured, and it was not natural.");
        return Stream.concat(notNatural, service.alarms(liveRun).stream()).toList();
    }

    private static ServiceView view(KnownService service, Optional<String> liveRun, Optional<String> contradicted) {
        return new ServiceView(service.name(), service.fresh(), service.lastSeen(),
                service.instances()
                        .stream()
                        .map(instance -> new InstanceView(instance.address(), instance.naturalShare().ratio()))
                        .toList(),
                service.proxies().stream().map(ProxyView::of).toList(), service.proxiesConnected(),
                service.redirectors(), liveRun.orElse(null), alarms(service, liveRun, contradicted));
    }
}
