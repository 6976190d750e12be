// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything in one process on a machine whose language has other capitals, digits or commas: it starts, moves traffic, and prints the
 * same.
 */
@Tag("fault")
class LanguagesTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @ParameterizedTest
    @ValueSource(strings = {"tr-TR", "ar-EG", "de-DE"})
    void a_run_moves_traffic_and_is_reported_in_the_same_words(String language) throws Exception {
        Locale locale = Locale.forLanguageTag(language);
        Map<String, String> environment = new HashMap<>(KilledStandaloneTest.settings());
        environment.put("JAVA_TOOL_OPTIONS",
                "-Duser.language=" + locale.getLanguage() + " -Duser.country=" + locale.getCountry());
        try (StackFolder folder = new StackFolder();
                LiveService live = new LiveService("language-" + locale.getLanguage())) {
            folder.services().put(live.service().name(), live.service().entry());
            try (RedlinerProcess up = RedlinerProcess.start(folder.data(), List.of("up", "--port", "0", "--services",
                    folder.services().path().toString(), "--data", folder.data().toString()), environment);
                    ApiClient controller = KilledStandaloneTest.controller(up)) {
                String run = live.rampUp(controller);
                controller.abortRun(run, "enough");

                assertThat(RunEnd.awaitOf(controller, run, LIMIT).path("outcome").asString()).isEqualTo("ABORTED");
                try (RedlinerProcess status = RedlinerProcess.start(folder.data(), List.of("status", run, "--url",
                        up.awaitOutput("is up: (http://\\S+)/", LIMIT)), environment)) {
                    assertThat(status.awaitExit(LIMIT)).as(status.output()).isZero();
                    assertThat(status.output() + up.output()).contains("ABORTED").matches("\\p{ASCII}*")
                            .doesNotContainPattern("[0-9],[0-9]");
                }
            }
        }
    }
}
