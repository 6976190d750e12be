// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The plans of a folder, all or none of them. */
class ApplyCommandTest {

    @TempDir
    Path folder;

    private FakeController controller;

    @BeforeEach
    void start() throws IOException {
        for (String name : List.of("a", "b", "c")) {
            Files.writeString(folder.resolve(name + ".yaml"),
                    "kind: CapacityTest\nmetadata: {name: plan-" + name + "}\n");
        }
        Files.writeString(folder.resolve("services.yaml"), "services:\n  - {name: shop}\n");
        Files.writeString(folder.resolve("notes.txt"), "kind: CapacityTest");
        controller = new FakeController();
        controller.on("POST /api/v1/plans:validate", exchange -> {
            String asked = controller.asked().getLast();
            String name = asked.substring(asked.indexOf("plan-"), asked.indexOf("plan-") + 6);
            FakeController.send(exchange, 200,
                    "{\"valid\": true, \"hash\": \"new\", \"plan\": {\"metadata\": {\"name\": \"" + name + "\"}}}");
        });
        controller.on("GET /api/v1/plans/plan-a", 200, "{\"name\": \"plan-a\", \"hash\": \"new\"}")
                .on("GET /api/v1/plans/plan-b", 200, "{\"name\": \"plan-b\", \"hash\": \"old\"}")
                .on("PUT /api/v1/plans/plan-b", 200, "{\"name\": \"plan-b\"}")
                .on("PUT /api/v1/plans/plan-c", 200, "{\"name\": \"plan-c\"}");
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    private List<String> stored() {
        return controller.asked().stream().filter(asked -> asked.startsWith("PUT"))
                .map(asked -> asked.split(" ", 3)[1]).toList();
    }

    @Test
    void new_and_changed_plans_are_stored_and_the_others_are_left_alone() {
        FakeController.Ran ran = controller.run("apply", folder.toString());

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out().lines()).containsExactly("Plan plan-a is the same (" + folder + "/a.yaml)",
                "Plan plan-b changed (" + folder + "/b.yaml)", "Plan plan-c is new (" + folder + "/c.yaml)");
        assertThat(ran.err()).contains("Left out " + folder + "/services.yaml").doesNotContain("notes.txt");
        assertThat(stored()).containsExactly("/api/v1/plans/plan-b", "/api/v1/plans/plan-c");
    }

    @Test
    void a_dry_run_says_the_same_and_stores_nothing() {
        FakeController.Ran ran = controller.run("apply", "--dry-run", folder.toString(), "--output", "json");

        assertThat(ran.code()).isZero();
        assertThat(new JsonMapper().readTree(ran.out()).path("plans").valueStream()
                .map(plan -> plan.path("change").asString())).containsExactly("SAME", "CHANGED", "NEW");
        assertThat(controller.run("apply", "--dry-run", folder.toString()).out()).contains("plan-b would change",
                "plan-c would be new");
        assertThat(stored()).isEmpty();
    }

    @Test
    void one_mistake_keeps_all_from_being_stored_and_each_is_at_its_place() {
        controller.on("POST /api/v1/plans:validate", 400,
                "{\"errors\": [{\"field\": \"$.spec\", \"line\": 3, \"column\": 7, \"message\": \"is required\"}]}");

        FakeController.Ran ran = controller.run("apply", folder.toString());

        assertThat(ran.code()).isEqualTo(104);
        assertThat(ran.err()).contains("a.yaml:3:7: $.spec: is required", "c.yaml:3:7: $.spec: is required",
                "nothing was stored");
        assertThat(stored()).isEmpty();
    }

    @Test
    void two_files_with_one_name_are_a_mistake() throws IOException {
        Files.writeString(folder.resolve("d.yml"), "kind: CapacityTest\nmetadata: {name: plan-a}\n");

        FakeController.Ran ran = controller.run("apply", folder.toString());

        assertThat(ran.code()).isEqualTo(104);
        assertThat(ran.err()).contains("d.yml: has the name plan-a, as has " + folder + "/a.yaml");
    }

    @Test
    void a_plan_that_is_refused_midway_is_named_after_those_that_are_stored() {
        controller.on("PUT /api/v1/plans/plan-c", 403, "{\"title\": \"Your role does not allow this\"}");

        FakeController.Ran ran = controller.run("apply", folder.toString());

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("Plan plan-b changed", "plan plan-c of " + folder + "/c.yaml",
                "Your role does not allow this");
    }

    @Test
    void a_folder_without_a_plan_and_a_file_are_no_folder_of_plans() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));

        assertThat(controller.run("apply", empty.toString()).err()).contains("No file in", "kind: CapacityTest");
        assertThat(controller.run("apply", folder.resolve("a.yaml").toString()).err()).contains("is no folder");
        assertThat(controller.run("apply", "/nowhere").code()).isEqualTo(2);
        assertThat(controller.asked()).isEmpty();
    }
}
