// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An autoscaler's target from a measured capacity. */
class SuggestCommandTest {

    /** KubernetesObjectsTest gives it to an API server. */
    private static final Path SUGGESTED = Path.of("src", "test", "resources", "suggested-hpa.yaml");

    private static final String SURE = "{\"level\": \"SURE\", \"words\": \"\"}";

    private static FakeController.Ran suggest(String classes, String... more) throws IOException {
        try (FakeController controller = new FakeController()) {
            controller.on("POST /api/v1/sizing", 200, "{\"headroom\": 0.3, \"classes\": [" + classes + "]}");
            List<String> line = new ArrayList<>(
                    List.of("suggest", "hpa", "--service", "shop", "--deployment", "shop-web", "--max-replicas", "20"));
            line.addAll(List.of(more));
            FakeController.Ran ran = controller.run(line.toArray(String[]::new));
            assertThat(controller.asked().getFirst()).contains("\"service\":\"shop\"", "\"headroom\":\"30%\"");
            return ran;
        }
    }

    private static String measured(double low, String certainty) {
        return """
                {"low": %s, "instances": 1, "capacity": {"runId": "0f3a", "recordedAt": "2026-11-30T10:00:00Z",
                 "lowerBound": false, "stale": false, "certainty": %s}}""".formatted(low, certainty);
    }

    @Test
    void the_target_is_the_lower_end_of_the_capacity_without_the_headroom() throws IOException {
        FakeController.Ran ran = suggest(measured(219.4, SURE));

        assertThat(ran.code()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).isEqualTo(Files.readString(SUGGESTED));
    }

    @Test
    void the_weakest_hardware_class_counts() throws IOException {
        assertThat(suggest(measured(500, SURE) + "," + measured(10, SURE)).out()).contains("averageValue: \"7000m\"");
    }

    @Test
    void a_capacity_that_is_not_sure_is_said_and_ends_with_98() throws IOException {
        FakeController.Ran ran = suggest(
                measured(219.4, "{\"level\": \"DOUBTFUL\", \"words\": \"doubtful: noise\"}"));

        assertThat(ran.code()).isEqualTo(98);
        assertThat(ran.err()).contains("not sure: doubtful: noise");
        assertThat(ran.out()).contains("# One instance", "doubtful: noise", "averageValue: \"153\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --deployment=Shop Web   | --deployment is no name that Kubernetes takes: Shop Web
            --metric=a"b            | --metric is no name that Kubernetes takes
            --min-replicas=0        | --min-replicas is 1 or more and --max-replicas not below it, not 0 and 20
            --min-replicas=21       | --min-replicas is 1 or more and --max-replicas not below it, not 21 and 20
            """)
    void what_kubernetes_would_refuse_is_refused_before(String option, String message) {
        assertThat(FakeController.execute("suggest", "hpa", "--service", "shop", "--max-replicas", "20",
                option.startsWith("--deployment") ? option : "--deployment=shop", option.startsWith("--deployment")
                        ? "--min-replicas=1"
                        : option)
                .err()).contains(message);
    }

    @ParameterizedTest
    @CsvSource({"153.58, 153", "100, 100", "99.9994, 99999m", "7.5, 7500m", "0.5, 500m"})
    void a_rate_is_a_quantity_that_is_not_above_it(double rate, String quantity) {
        assertThat(SuggestCommand.quantity(rate)).isEqualTo(quantity);
    }
}
