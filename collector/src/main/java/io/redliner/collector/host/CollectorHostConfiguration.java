// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.source.SelfGauges;
import java.nio.file.Path;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Unlike the hosts of instances, the collector's own one is always looked at. */
@Configuration(proxyBeanMethods = false)
class CollectorHostConfiguration {

    @Bean
    SelfGauges collectorHost() {
        return new CollectorHost(Path.of("/"));
    }
}
