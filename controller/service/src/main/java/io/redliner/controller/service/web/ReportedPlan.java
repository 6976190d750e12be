// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.report.ComparedRun;
import io.redliner.controller.service.report.Section;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The few things that reports take from a run's plan in its canonical form. */
record ReportedPlan(JsonNode content) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    static ReportedPlan of(String canonical) {
        return new ReportedPlan(JSON.readTree(canonical));
    }

    String profile() {
        return content.at("/spec/profile").asString("capacity");
    }

    @Nullable
    String label(String name) {
        JsonNode label = content.path("metadata").path("labels").path(name);
        return label.isString() ? label.asString() : null;
    }

    /** Returns the terms on which the plan finds a capacity. */
    ComparedRun.Terms terms() {
        List<Section.Fact> rules = new ArrayList<>();
        content.at("/spec/sla").forEach(rule -> {
            if (!rule.path("informational").asBoolean(false)) {
                rules.add(new Section.Fact(rule.path("name").asString(""), rule.path("expr").asString("")));
            }
        });
        return new ComparedRun.Terms(profile(), rules, content.at("/spec/redirect").toString(),
                content.at("/spec/limits/window").asString(""));
    }

    /** Returns the names of all rules: the SLA's, then the guards'. */
    List<String> rules() {
        List<String> names = new ArrayList<>();
        for (String list : List.of("sla", "guards")) {
            content.path("spec").path(list).forEach(rule -> names.add(rule.path("name").asString("")));
        }
        return names;
    }
}
