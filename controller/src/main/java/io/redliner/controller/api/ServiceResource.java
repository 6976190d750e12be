// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.catalog.KnownService;
import io.redliner.controller.catalog.ServiceCatalog;
import io.redliner.controller.catalog.ServiceReport.KnownProxy;
import io.redliner.controller.port.RunRepository;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The services that redirectors tell of. */
@RestController
@RequestMapping("/api/v1/services")
class ServiceResource {

    private final ServiceCatalog catalog;

    private final RunRepository runs;

    ServiceResource(ServiceCatalog catalog, RunRepository runs) {
        this.catalog = catalog;
        this.runs = runs;
    }

    /** A service; {@code liveRun} is the run that holds it. */
    record ServiceView(String name, boolean fresh, Instant lastSeen, List<InstanceView> instances,
            List<KnownProxy> proxies, List<String> redirectors, @Nullable String liveRun) {}

    /** An instance; the share is a ratio. */
    record InstanceView(String address, double naturalShare) {}

    /** All services. */
    record ServiceList(List<ServiceView> items) {}

    @GetMapping
    ServiceList list() {
        return new ServiceList(catalog.services().stream().map(this::view).toList());
    }

    private ServiceView view(KnownService service) {
        return new ServiceView(service.name(), service.fresh(), service.lastSeen(),
                service.instances()
                        .stream()
                        .map(instance -> new InstanceView(instance.address(), instance.naturalShare().ratio()))
                        .toList(),
                service.proxies(), service.redirectors(), runs.holder(service.name()).orElse(null));
    }
}
