// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.redliner.redirector.service.Address;
import io.redliner.redirector.service.Instance;
import io.redliner.redirector.service.Service;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServicesFileTest {

    private static final String GOOD = """
            services:
              - name: profile-be
                listen: "0.0.0.0:10000"
                timeout: 1m30s
                instances:
                  - "127.0.0.1:9001"
                  - {address: "[::1]:9002", weight: 2}
              - name: search
                listen: "0.0.0.0:10001"
                instances: ["127.0.0.1:9001", "127.0.0.1:9002"]
            """;

    @Test
    void reads_services_with_their_defaults() {
        // when
        var catalog = ServicesFile.parse("services.yaml", GOOD);

        // then
        assertThat(catalog.services()).extracting(Service::name).containsExactly("profile-be", "search");
        Service service = catalog.find("profile-be").orElseThrow();
        assertThat(service.listen()).isEqualTo(new Address("0.0.0.0", 10000));
        assertThat(service.timeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(service.instances()).containsExactly(new Instance(new Address("127.0.0.1", 9001), 1),
                new Instance(new Address("::1", 9002), 2));
        assertThat(service.instance("[::1]:9002")).isPresent();
        assertThat(catalog.find("search").orElseThrow().timeout()).isEqualTo(Duration.ofSeconds(15));
    }

    /** Each row breaks one thing of the good file, and says where the complaint must point and what it must say. */
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "timeout: 1m30s          | timeoutt: 1m30s           | 4:5  | unknown field 'timeoutt'",
        "timeout: 1m30s          | timeout: 90               | 4:14 | is not a duration",
        "timeout: 1m30s          | timeout: 90 seconds       | 4:14 | is not a duration",
        "timeout: 1m30s          | timeout: 0s               | 4:14 | is not above zero",
        "timeout: 1m30s          | name: again               | 4:5  | 'name' is given twice",
        "weight: 2               | weight: 2kg               | 7:41 | is not a whole number without a unit",
        "weight: 2               | weight: 0                 | 7:41 | outside 1 to 1000",
        "[::1]:9002              | localhost:9002            | 7:19 | host names are not resolved",
        "[::1]:9002              | 127.0.0.1                 | 7:19 | is not an address like",
        "[::1]:9002              | 127.0.0.256:1             | 7:19 | is not an IP address",
        "[::1]:9002              | 127.0.0.1:70000           | 7:19 | outside 1 to 65535",
        "[::1]:9002              | 127.0.0.1:9001            | 7:9  | instance 127.0.0.1:9001 is listed twice",
        "name: search            | name: profile-be          | 8:11 | profile-be is listed twice",
        "name: search            | name: 'a/b'               | 8:11 | is not a service name",
        "0.0.0.0:10001           | 0.0.0.0:10000             | 9:13 | listen port 10000 is taken",
        ", \"127.0.0.1:9002\"]   | ]                         | 10:16 | needs at least two instances",
        "listen: \"0.0.0.0:10001\" | timeout: 1s             | 8:5  | needs the field 'listen'"})
    void refuses_with_line_and_column(String good, String bad, String where, String complaint) {
        // given
        assertThat(GOOD).contains(good);
        String text = GOOD.replaceFirst(Pattern.quote(good),
                Matcher.quoteReplacement(bad));

        // when, then
        assertThatThrownBy(() -> ServicesFile.parse("services.yaml", text))
                .isInstanceOf(InvalidServicesFileException.class)
                .hasMessageStartingWith("services.yaml:" + where + ": ")
                .hasMessageContaining(complaint);
    }

    @Test
    void refuses_what_is_not_yaml_with_its_line() {
        // when
        var refusal = catchThrowableOfType(InvalidServicesFileException.class,
                () -> ServicesFile.parse("services.yaml", "services:\n  - name: [\n"));

        // then
        assertThat(refusal).hasMessageContaining("not YAML");
        assertThat(refusal.line()).isPositive();
    }

    @Test
    void refuses_an_empty_file_and_an_empty_list() {
        assertThatThrownBy(() -> ServicesFile.parse("services.yaml", "# nothing\n"))
                .hasMessageContaining("the file is empty");
        assertThatThrownBy(() -> ServicesFile.parse("services.yaml", "services: []\n"))
                .hasMessage("services.yaml:1:11: the list of services is empty");
        assertThatThrownBy(() -> ServicesFile.parse("services.yaml", "services: none\n"))
                .hasMessage("services.yaml:1:11: expected a list of services");
    }

    @Test
    void says_which_file_is_missing() {
        assertThatThrownBy(() -> ServicesFile.read(Path.of("/nowhere/services.yaml")))
                .isInstanceOf(InvalidServicesFileException.class)
                .hasMessageContaining("/nowhere/services.yaml")
                .hasMessageContaining("cannot read the services file");
    }
}
