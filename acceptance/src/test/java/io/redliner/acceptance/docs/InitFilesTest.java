// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.redirector.config.ServicesFileParser;
import io.redliner.redirector.discovery.ServiceDefinitions;
import io.redliner.sla.RuleCompiler;
import io.redliner.standalone.StandaloneCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of {@code redliner init} are those that RedLiner takes. */
class InitFilesTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "shop | 10.0.0.1:8080,10.0.0.2:8080 | 127.0.0.1:10000 | 200ms | 90%",
        "Profile_BE.v2 | [2001:db8::1]:1,[2001:db8::2]:65535,10.0.0.1:1 | [::1]:10001 | 1h | 34%",
        "12345 | 127.0.0.1:1,127.0.0.1:2 | 0.0.0.0:80 | 0.5s | 50.1%",
        "true | 127.0.0.1:1,127.0.0.1:2 | 0.0.0.0:80 | 1ms | 90%",
        "Aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggghhhhhhhhhh | 127.0.0.1:1,127.0.0.1:2 | 0.0.0.0:80 | 2s | 60%"})
    void are_a_services_file_and_a_plan(String service, String instances, String listen, String latency, String share)
            throws Exception {
        StringWriter err = new StringWriter();

        int code = StandaloneCommand.commandLine().setErr(new PrintWriter(err)).setOut(new PrintWriter(err)).execute(
                "init", "--dir", folder.toString(), "--service", service, "--instances", instances, "--listen", listen,
                "--latency", latency, "--max-share", share);

        assertThat(code).as(err.toString()).isZero();
        ServiceDefinitions definitions = ServicesFileParser.read(folder.resolve("services.yaml"));
        assertThat(definitions.services()).singleElement().satisfies(definition -> {
            assertThat(definition.name()).isEqualTo(service);
            assertThat(definition.integration().listenAddress().map(Object::toString)).contains(listen);
        });
        Plan plan = new PlanReader(new RuleCompiler()).read(Files.readString(folder.resolve("plan.yaml")));
        assertThat(plan.service()).isEqualTo(service);
    }
}
