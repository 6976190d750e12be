// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenCommandTest {

    private FakeController controller;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws IOException {
        controller = new FakeController().on("GET /api/v1/runs/r1", 200, "{\"id\": \"r1\"}")
                .on("GET /api/v1/series/s1", 200, "{\"id\": \"s1\"}")
                .on("GET /api/v1/services", 200, "{\"items\": [{\"name\": \"shop\"}]}");
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    private String printed(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "open";
        all[1] = "--print";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return controller.run(all).out().strip();
    }

    @Test
    void the_pages_of_runs_series_services_and_the_overview_are_printed() {
        assertThat(printed("r1")).isEqualTo(controller.url() + "/runs/r1");
        assertThat(printed("s1")).isEqualTo(controller.url() + "/series/s1");
        assertThat(printed("--service", "shop")).isEqualTo(controller.url() + "/services/shop");
        assertThat(printed()).isEqualTo(controller.url() + "/");
    }

    @Test
    void what_is_not_there_has_no_page() {
        controller.on("GET /api/v1/runs?limit=1&service=shpo", 200, "{\"items\": []}");

        assertThat(controller.run("open", "--print", "r9").code()).isEqualTo(1);
        assertThat(controller.run("open", "--print", "--service", "shpo").code()).isEqualTo(2);
        assertThat(controller.run("open", "r1", "--service", "shop").code()).isEqualTo(2);
    }

    @Test
    void the_browser_of_the_environment_gets_the_address_and_one_that_is_missing_is_no_failure() throws Exception {
        Path browser = Files.createFile(folder.resolve("browser"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path shown = folder.resolve("shown");
        Files.writeString(browser, "#!/bin/sh\nprintf %s \"$1\" > '" + shown + ".part'\nmv '" + shown + ".part' '"
                + shown + "'\n");
        Path err = folder.resolve("err");

        int code = InputAndOutputTest.shell(err, "BROWSER='" + browser + "' \"$@\" open r1 --url '" + controller.url()
                + "'; code=$?; for i in $(seq 100); do [ -f '" + shown + "' ] && break; sleep 0.1; done; exit $code");

        assertThat(code).isZero();
        assertThat(shown).hasContent(controller.url() + "/runs/r1");
        assertThat(InputAndOutputTest.shell(err, "BROWSER=/nowhere \"$@\" open r1 --url '" + controller.url() + "'"))
                .isZero();
        assertThat(Files.readString(err)).contains("no browser could be started; set BROWSER");
    }
}
