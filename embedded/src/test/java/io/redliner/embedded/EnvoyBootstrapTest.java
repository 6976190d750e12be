// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EnvoyBootstrapTest {

    @ParameterizedTest
    @CsvSource({"256, 96", "1024, 384", "20000, 9500", "1048576, 500000", "9223372036854775807, 500000", "0, 1",
        "-1, 1"})
    void users_have_less_than_half_of_the_descriptors(long descriptors, long connections) {
        assertThat(EnvoyBootstrap.maxConnections(descriptors)).isEqualTo(connections);
    }

    @ParameterizedTest
    @EnumSource
    void every_level_limits_users_connections_by_this_process_s_limit(EnvoyBootstrap.Level level) {
        UnixOperatingSystemMXBean system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        String limit = "max_active_downstream_connections: "
                + EnvoyBootstrap.maxConnections(system.getMaxFileDescriptorCount());

        assertThat(EnvoyBootstrap.of(level, "node-1", 1, 2, 3).yaml().lines().map(String::strip)).contains(limit);
    }
}
