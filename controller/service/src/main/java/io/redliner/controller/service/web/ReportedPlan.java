// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

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

    /** Returns the names of all rules: the SLA's, then the guards'. */
    List<String> rules() {
        List<String> names = new ArrayList<>();
        for (String list : List.of("sla", "guards")) {
            content.path("spec").path(list).forEach(rule -> names.add(rule.path("name").asString("")));
        }
        return names;
    }
}
