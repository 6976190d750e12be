// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.security.Role;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.SequentialTests;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A calendar is changed by the team that owns it, or by those whose plans rest on it. */
@SequentialTests
@ResourceLock(GuardedScene.LOCK)
class CalendarOwnerTest {

    private final GuardedScene guarded = GuardedScene.shared();

    private final Client blue = guarded.holder(Role.OPERATOR, "blue");

    private final Client red = guarded.holder(Role.OPERATOR, "red");

    private final Client teamless = guarded.holder(Role.OPERATOR);

    private final String name = "calendar-" + guarded.newName();

    private final String calendar = "/api/v1/calendars/" + name;

    private int contents;

    @BeforeEach
    void planOfBlue() {
        assertThat(guarded.admin().put("/api/v1/services/" + name + "/owner", "team: blue").status()).isEqualTo(200);
    }

    private Answer put(Client client, String query) {
        contents++;
        return client.put(calendar + query, """
                BEGIN:VCALENDAR\r
                VERSION:2.0\r
                PRODID:-//test//EN\r
                BEGIN:VEVENT\r
                UID:%s\r
                DTSTAMP:20260101T000000Z\r
                DTSTART;VALUE=DATE:20261224\r
                DTEND;VALUE=DATE:20261227\r
                SUMMARY:closed\r
                END:VEVENT\r
                END:VCALENDAR\r
                """.formatted(contents));
    }

    private void rest() {
        String plan = Scene.plan(name, name)
                + "  schedule: {cron: \"0 9 * * *\", zone: UTC, except: [" + name + "]}\n";
        Answer answer = blue.post("/api/v1/plans", plan);
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(201);
    }

    private static void refused(Answer answer) {
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(403);
        assertThat(GuardedScene.type(answer)).isEqualTo("not-owner");
    }

    @Test
    void a_calendar_without_an_owner_is_not_changed_by_others_than_those_whose_plans_rest_on_it() {
        assertThat(put(guarded.admin(), "").status()).isEqualTo(200);
        assertThat(put(red, "").status()).as("nobody needs it").isEqualTo(200);
        rest();

        refused(put(red, ""));
        refused(put(teamless, ""));
        refused(red.delete(calendar));
        assertThat(put(blue, "").status()).isEqualTo(200);
        assertThat(put(guarded.admin(), "").status()).isEqualTo(200);
    }

    @Test
    void a_new_calendar_is_of_the_only_team_of_who_stores_it() {
        Answer stored = put(blue, "");

        assertThat(stored.json().get("team").asString()).isEqualTo("blue");
        refused(put(red, ""));
        refused(put(teamless, ""));
        refused(red.delete(calendar));
        refused(teamless.delete(calendar));
        assertThat(guarded.admin().get(calendar).json().get("content").asString()).contains("UID:1\r");
        assertThat(put(guarded.admin(), "").json().get("team").asString()).as("it stays").isEqualTo("blue");
        assertThat(blue.delete(calendar).status()).isEqualTo(204);
    }

    @Test
    void who_is_of_two_teams_says_which_one_owns_it() {
        Client both = guarded.holder(Role.OPERATOR, "blue", "red");

        assertThat(put(both, "").json().has("team")).isFalse();
        assertThat(put(both, "?team=red").json().get("team").asString()).isEqualTo("red");
        refused(put(blue, ""));
        refused(put(both, "?team=green"));
        assertThat(put(red, "").status()).isEqualTo(200);
    }

    @Test
    void nobody_takes_a_calendar_away_or_gives_it_to_a_team_of_others() {
        assertThat(put(blue, "").status()).isEqualTo(200);

        refused(put(red, "?team=red"));
        refused(put(blue, "?team=red"));
        assertThat(put(guarded.admin(), "?team=red").json().get("team").asString()).isEqualTo("red");
        refused(put(blue, ""));
        assertThat(put(red, "?team=%20").status()).isEqualTo(400);
    }

    @Test
    void a_viewer_changes_none() {
        assertThat(put(guarded.holder(Role.VIEWER, "blue"), "").status()).isEqualTo(403);
    }
}
