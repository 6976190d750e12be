// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.embedded.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class ProxyPortsTest {

    @TempDir
    private Path folder;

    /** As a process finds it that was started with these environment variables. */
    private static Environment with(Map<String, Object> variables) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        variables));
        ConfigurationPropertySources.attach(environment);
        return environment;
    }

    @Test
    void ports_that_are_set_are_obeyed_and_the_others_are_free_ones() {
        ProxyPorts ports = ProxyPorts.of(with(Map.of("REDLINER_REDIRECTOR_XDS_PORT", "18123")));
        assertThat(ports.xds()).isEqualTo(18123);
        assertThat(ports.accessLog()).isPositive().isNotEqualTo(18090);
        assertThat(ports.bootstrap("standalone").yaml()).contains("port_value: 18123");

        ProxyPorts both = ProxyPorts.of(with(Map.of("REDLINER_REDIRECTOR_XDS_PORT", "0",
                "REDLINER_COLLECTOR_ACCESSLOG_PORT", "18124")));
        assertThat(both.xds()).isPositive();
        assertThat(both.accessLog()).isEqualTo(18124);
    }

    @Test
    void a_proxy_that_was_left_over_is_not_gone_on_with_where_other_ports_are_set() {
        ProxyPorts before = ProxyPorts.of(with(Map.of()));
        before.save(folder);

        assertThat(ProxyPorts.load(folder, with(Map.of()))).contains(before);
        assertThat(ProxyPorts.load(folder, with(Map.of("REDLINER_REDIRECTOR_XDS_PORT",
                Integer.toString(before.xds()))))).contains(before);
        assertThat(ProxyPorts.load(folder, with(Map.of("REDLINER_REDIRECTOR_XDS_PORT",
                Integer.toString(FreePort.next()))))).isEmpty();
    }

    @Test
    void a_file_that_was_damaged_keeps_none() throws IOException {
        Files.write(folder.resolve(ProxyPorts.FILE), new byte[]{(byte) 0xff, '1', ' ', '2'});

        assertThat(ProxyPorts.load(folder, with(Map.of()))).isEmpty();
    }
}
