// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Freezes are listed, added and ended, with times as people write them. */
class FreezeCommandTest {

    private static final String FREEZE = """
            {"id": "6cfe0e3a-1", "service": "shop", "from": "2026-12-24T12:00:00Z", "to": "2026-12-27T06:00:00Z",
             "reason": "the holidays", "actor": "ops"}""";

    private static final String OF_ALL = """
            {"id": "6cfe0e99-1", "from": "2026-12-31T12:00:00Z", "to": "2027-01-01T06:00:00Z", "reason": "new year", "actor": "boss"}""";

    private FakeController controller;

    @BeforeEach
    void start() throws IOException {
        controller = new FakeController()
                .on("GET /api/v1/freezes", 200, "{\"items\": [" + FREEZE + ", " + OF_ALL + "]}")
                .on("GET /api/v1/services", 200, "{\"items\": [{\"name\": \"shop\"}]}")
                .on("GET /api/v1/runs?limit=1&service=shpo", 200, "{\"items\": []}")
                .on("POST /api/v1/freezes", 201, FREEZE).on("DELETE /api/v1/freezes/6cfe0e3a-1", 204, "");
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    private List<String> changes() {
        return controller.asked().stream().filter(asked -> !asked.startsWith("GET")).toList();
    }

    @Test
    void those_ahead_are_listed_and_those_of_all_services_hold_for_each() {
        assertThat(controller.run("freeze").out()).contains("FREEZE", "6cfe0e3a-1", "shop", "2026-12-24", "ops",
                "the holidays", "all services");
        assertThat(controller.run("freeze", "list", "--service", "cart").out()).contains("new year")
                .doesNotContain("holidays");
        controller.on("GET /api/v1/freezes", 200, "{\"items\": []}");
        assertThat(controller.run("freeze").out()).contains("No freeze is ahead or in force.");
    }

    @Test
    void one_is_added_from_now_with_an_end_as_people_write_it() {
        Instant before = Instant.now();

        FakeController.Ran ran = controller.run("freeze", "add", "--service", "shop", "--to", "2h", "--reason", "move");

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("Frozen: shop, from ", "redliner freeze end 6cfe0e3a-1");
        JsonNode sent = new JsonMapper().readTree(changes().getFirst().replaceFirst("^\\S+ \\S+ ", ""));
        assertThat(sent.path("service").asString()).isEqualTo("shop");
        assertThat(sent.path("reason").asString()).isEqualTo("move");
        Instant from = Instant.parse(sent.path("from").asString());
        assertThat(from).isBetween(before, Instant.now());
        assertThat(Duration.between(from, Instant.parse(sent.path("to").asString())))
                .isBetween(Duration.ofHours(2), Duration.ofHours(2).plusSeconds(5));
    }

    @Test
    void its_end_on_a_weekday_is_the_first_after_its_begin() {
        DayOfWeek today = LocalDate.now(ZoneId.systemDefault()).getDayOfWeek();

        FakeController.Ran ran = controller.run("freeze", "add", "--from", today.plus(5) + " 18:00", "--to",
                today.plus(2) + " 06:00", "--reason", "x");

        assertThat(ran.code()).as(ran.err()).isZero();
        JsonNode sent = new JsonMapper().readTree(changes().getFirst().replaceFirst("^\\S+ \\S+ ", ""));
        assertThat(Duration.between(Instant.parse(sent.path("from").asString()),
                Instant.parse(sent.path("to").asString())).toHours()).isBetween(83L, 85L);
    }

    @Test
    void times_with_a_day_and_without_a_service() {
        controller.run("freeze", "add", "--from", "2026-12-24T12:00:00Z", "--to", "2026-12-27T06:00:00Z", "--reason",
                "the holidays");

        assertThat(changes()).containsExactly("POST /api/v1/freezes {\"from\":\"2026-12-24T12:00:00Z\","
                + "\"to\":\"2026-12-27T06:00:00Z\",\"reason\":\"the holidays\"}");
    }

    @Test
    void one_is_ended_by_its_first_letters() {
        assertThat(controller.run("freeze", "end", "6cfe0e3").out())
                .contains("Ended: the freeze of shop by ops, the holidays");
        assertThat(changes()).containsExactly("DELETE /api/v1/freezes/6cfe0e3a-1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"freeze end | Name the freeze: redliner freeze end ID",
        "freeze end 6cfe | is not the id of one freeze", "freeze end 6cf | is not the id of one freeze",
        "freeze end ffff0000 | is not the id of one freeze",
        "freeze add --reason x | A freeze needs its end and a reason",
        "freeze add --to 2h | A freeze needs its end and a reason",
        "freeze add --to soon --reason x | --to 'soon' is no time; write it as 2h, 'tomorrow 03:00'",
        "freeze add --from 3h --to 2h --reason x | --to is not after --from",
        "freeze add --service shpo --to 2h --reason x | No service 'shpo' is known",
        "freeze --to 2h | go with freeze add", "freeze end 6cfe0e3 --reason x | end takes an ID alone",
        "freeze list 6cfe0e3 | goes with freeze end alone", "freeze thaw | Invalid value for positional parameter"})
    void what_is_not_clear_changes_nothing_and_says_what_to_do(String line, String words) {
        FakeController.Ran ran = controller.run(line.split(" ", -1));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(words);
        assertThat(changes()).isEmpty();
    }
}
