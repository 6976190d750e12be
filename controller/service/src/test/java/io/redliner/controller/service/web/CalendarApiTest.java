// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What of a calendar blocks nothing is named wherever the calendar comes in. */
class CalendarApiTest {

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private static String calendar(String event) {
        return ("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\nBEGIN:VEVENT\nUID:a\nDTSTAMP:20260101T000000Z\n"
                + "DTSTART;VALUE=DATE:20200501\nRRULE:FREQ=YEARLY\nSUMMARY:Maifeiertag für alle\n" + event
                + "\nEND:VEVENT\nEND:VCALENDAR\n").replace("\n", "\r\n");
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }

    private JsonNode listed(String name) {
        return client.get("/api/v1/calendars?limit=200").json().get("items").valueStream()
                .filter(one -> one.get("name").asString().equals(name)).findFirst().orElseThrow();
    }

    private Answer validate(String name) {
        return client.post("/api/v1/plans:validate", Scene.plan("shop", "a-plan")
                + "  schedule: {interval: 6h, except: [month-end, " + name + "]}\n");
    }

    @Test
    void holidays_that_are_marked_as_free_are_named_by_put_get_list_and_validate() {
        JsonNode put = client.put("/api/v1/calendars/free-days", calendar("TRANSP:TRANSPARENT")).json();

        assertThat(texts(put.get("warnings"))).hasSize(2);
        assertThat(put.get("warnings").get(0).asString()).contains("Maifeiertag", "marked as free");
        assertThat(client.get("/api/v1/calendars/free-days").json().get("warnings")).isEqualTo(put.get("warnings"));
        assertThat(listed("free-days").get("warnings")).isEqualTo(put.get("warnings"));
        assertThat(listed("free-days").get("busyEvents").asInt()).isZero();
        assertThat(listed("free-days").get("freeEvents").asInt()).isEqualTo(1);
        JsonNode valid = validate("free-days").json();
        assertThat(valid.get("valid").asBoolean()).isTrue();
        assertThat(texts(valid.get("notes"))).containsExactlyElementsOf(
                texts(put.get("warnings")).stream().map(warning -> "calendar free-days: " + warning).toList());
        client.delete("/api/v1/calendars/free-days");
    }

    @Test
    void a_calendar_that_blocks_is_not_warned_of() {
        JsonNode put = client.put("/api/v1/calendars/days", calendar("DTEND;VALUE=DATE:20200501")).json();

        assertThat(put.get("warnings").isEmpty()).isTrue();
        assertThat(put.get("busyEvents").asInt()).isEqualTo(1);
        assertThat(validate("days").json().get("notes").isEmpty()).isTrue();
        client.delete("/api/v1/calendars/days");
    }

    @ParameterizedTest
    @CsvSource({"ISO-8859-1, für", "windows-1252, für", "UTF-16, für", "UTF-16, for", "UTF-16LE, for", "UTF-16BE, for",
        "UTF-32, for"})
    void a_calendar_in_another_encoding_is_refused_as_such(String encoding, String word) {
        byte[] text = calendar("CLASS:PUBLIC").replace("für", word).getBytes(Charset.forName(encoding));

        Answer refused = client.put("/api/v1/calendars/foreign", text, "Content-Type",
                "text/calendar; charset=" + encoding);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("type").asString()).endsWith("/invalid-calendar");
        assertThat(refused.json().get("detail").asString()).contains("not UTF-8");
        assertThat(client.get("/api/v1/calendars/foreign").status()).isEqualTo(404);
    }

    @Test
    void a_calendar_without_an_event_is_stored_and_said_to_block_nothing() {
        String empty = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nEND:VCALENDAR\r\n";

        JsonNode put = client.put("/api/v1/calendars/empty", empty).json();

        assertThat(put.get("busyEvents").asInt()).isZero();
        assertThat(put.get("warnings").get(0).asString()).contains("nothing in it blocks anything");
        assertThat(listed("empty").get("warnings")).isEqualTo(put.get("warnings"));
        assertThat(texts(validate("empty").json().get("notes")))
                .anyMatch(note -> note.contains("calendar empty: nothing in it blocks"));
        client.delete("/api/v1/calendars/empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EXRULE:FREQ=DAILY", "RRULE:FREQ=DAILY;COUNT=0",
        "RDATE;VALUE=PERIOD:20260502T100000Z/20260501T100000Z"})
    void a_calendar_that_cannot_be_followed_is_refused(String line) {
        Answer refused = client.put("/api/v1/calendars/odd", calendar(line));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("type").asString()).endsWith("/invalid-calendar");
        assertThat(client.get("/api/v1/calendars/odd").status()).isEqualTo(404);
    }

    @Test
    void a_line_that_is_folded_inside_of_a_character_is_kept() {
        byte[] folded = calendar("CLASS:PUBLIC").replace("für", "f\u00c3\r\n \u00bcr")
                .getBytes(StandardCharsets.ISO_8859_1);

        assertThat(client.put("/api/v1/calendars/folded", folded).status()).isEqualTo(200);

        assertThat(client.get("/api/v1/calendars/folded").json().get("content").asString())
                .contains("Maifeiertag für alle");
        client.delete("/api/v1/calendars/folded");
    }
}
