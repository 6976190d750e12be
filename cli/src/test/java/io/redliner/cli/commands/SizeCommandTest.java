// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One question has one answer, on the page of a service and on the command line. */
class SizeCommandTest {

    private static final Path PAGE = Path
            .of("../controller/service/src/main/resources/controller-pages/service.html");

    private static final Pattern INPUT = Pattern.compile("<input id=\"sizing-[^>]*>");

    private static final Pattern ATTRIBUTE = Pattern.compile("(name|value)=\"([^\"]*)\"");

    /** Returns what the page sends when nothing but the target is typed. */
    private static Map<String, String> defaultsOfThePage() throws IOException {
        Map<String, String> defaults = new TreeMap<>();
        INPUT.matcher(Files.readString(PAGE)).results().forEach(input -> {
            Map<String, String> attributes = new TreeMap<>();
            ATTRIBUTE.matcher(input.group()).results()
                    .forEach(attribute -> attributes.put(attribute.group(1), attribute.group(2)));
            String value = attributes.getOrDefault("value", "");
            if (!value.isEmpty()) {
                defaults.put(attributes.getOrDefault("name", ""), value);
            }
        });
        assertThat(Files.readString(PAGE)).contains("id=\"sizing-survive\" name=\"surviveLoss\" checked>");
        defaults.put("surviveLoss", "true");
        return defaults;
    }

    private static Map<String, String> asked(String... more) throws IOException {
        try (FakeController controller = new FakeController()) {
            controller.on("POST /api/v1/sizing", 200, "{\"classes\": [], \"assumption\": \"even\"}");
            String[] line = new String[more.length + 5];
            System.arraycopy(new String[]{"size", "--service", "shop", "--target", "1000"}, 0, line, 0, 5);
            System.arraycopy(more, 0, line, 5, more.length);
            controller.run(line);
            JsonNode order = new JsonMapper()
                    .readTree(controller.asked().getFirst().replaceFirst("POST /api/v1/sizing ", ""));
            Map<String, String> fields = new TreeMap<>();
            order.properties().forEach(field -> fields.put(field.getKey(), field.getValue().asString()));
            assertThat(fields.remove("service")).isEqualTo("shop");
            assertThat(fields.remove("targetRequestsPerSecond")).isEqualTo("1000");
            return fields;
        }
    }

    @Test
    void what_is_left_out_is_as_on_the_page() throws IOException {
        assertThat(asked()).isEqualTo(defaultsOfThePage()).containsKeys("headroom", "failureDomains", "headroomAtLoss");
    }

    @Test
    void what_is_given_counts() throws IOException {
        assertThat(asked("--headroom", "10%", "--survive-loss", "false", "--failure-domains", "1", "--hardware", "big"))
                .isEqualTo(Map.of("headroom", "10%", "surviveLoss", "false", "failureDomains", "1", "headroomAtLoss",
                        "0%", "hardware", "big"));
    }

    @Test
    void a_rate_that_is_not_above_0_is_named_by_its_option() {
        assertThat(FakeController.execute("size", "--service", "shop", "--target", "-5").err())
                .contains("--target is a rate in requests/s above 0, not -5");
        assertThat(FakeController.execute("size", "--capacity", "0", "--target", "5").err())
                .contains("--capacity is a rate in requests/s above 0, not 0");
    }
}
