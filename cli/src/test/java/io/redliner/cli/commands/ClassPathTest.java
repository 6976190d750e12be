// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every verb loads first stays small: what one of its libraries brings along shows here. */
class ClassPathTest {

    @Test
    void no_server_is_on_it() {
        List<String> libraries = Stream.of(System.getProperty("java.class.path").split(":"))
                .map(entry -> Path.of(entry).getFileName().toString()).toList();

        assertThat(libraries).anyMatch(it -> it.startsWith("picocli-")).noneMatch(
                it -> it.matches("(spring|kafka|flyway|HikariCP|postgresql|netty|logback|grpc|tomcat|micrometer)-.*"));
    }
}
