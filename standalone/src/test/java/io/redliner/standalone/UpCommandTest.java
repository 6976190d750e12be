// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.redirector.config.ServicesFileParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpCommandTest {

    @TempDir
    Path folder;

    @Test
    void each_service_is_named_with_the_address_that_takes_its_traffic() {
        String services = """
                services:
                  - name: hello
                    listen: "127.0.0.1:10000"
                    instances: ["127.0.0.1:9001", "127.0.0.1:9002"]
                  - name: shop
                    instances: ["127.0.0.1:9003", "127.0.0.1:9004"]
                """;

        assertThat(UpCommand.addresses(ServicesFileParser.parse("services.yaml", services))).containsExactly(
                "Service hello: send its traffic to 127.0.0.1:10000",
                "Service shop: its traffic comes through the listener of its owner's proxies");
    }

    @Test
    void a_mistake_in_the_services_file_is_one_line_before_anything_starts() throws Exception {
        Path file = Files.writeString(folder.resolve("services.yaml"),
                "services:\n  - name: hello\n    instances: []\n");
        Path data = folder.resolve("data");
        StringWriter errors = new StringWriter();

        int code = StandaloneCommand.commandLine().setErr(new PrintWriter(errors, true))
                .execute("up", "--services", file.toString(), "--data", data.toString());

        assertThat(code).isEqualTo(1);
        assertThat(errors.toString()).startsWith("redliner up: " + file + ":3:").doesNotContain("\tat ");
        assertThat(data).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"., is a folder", "/dev/null, is a pipe or a device", "/nowhere.yaml, There is no services file"})
    void a_services_file_that_is_no_file_is_called_what_it_is(String path, String words) {
        StringWriter errors = new StringWriter();

        int code = StandaloneCommand.commandLine().setErr(new PrintWriter(errors, true))
                .execute("up", "--services", path, "--data", folder.resolve("data").toString());

        assertThat(code).isEqualTo(2);
        assertThat(errors.toString()).contains(words);
    }
}
