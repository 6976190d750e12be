// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.directory;

import io.redliner.redirector.service.CatalogIntake;
import io.redliner.redirector.service.ServiceCatalog;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class DirectoryConfiguration {

    /** What the redirector begins with: fleets that are found elsewhere are not known yet. */
    @Bean
    ServiceCatalog serviceCatalog(Definitions definitions) {
        return Directory.of(definitions).catalog();
    }

    @Bean(initMethod = "begin")
    DirectoryKeeper directoryKeeper(Definitions definitions, CatalogIntake intake, List<FleetFinder<?>> finders) {
        return new DirectoryKeeper(definitions, intake, finders);
    }

    @Bean
    HealthIndicator servicesHealthIndicator(DirectoryKeeper keeper) {
        return () -> {
            Map<String, String> complaints = keeper.complaints();
            return complaints.isEmpty() ? Health.up().build() : Health.down().withDetails(complaints).build();
        };
    }
}
