// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.capacity.CapacityChange;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.ExitCode;
import io.redliner.controller.core.run.PauseStatus;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.core.safety.KillSwitchEffect;
import io.redliner.controller.core.security.Role;
import io.redliner.controller.core.sizing.FleetAssessment;
import io.redliner.controller.core.sizing.Headroom;
import io.redliner.controller.plan.Profile;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.controller.service.report.ReportCheck;
import io.redliner.controller.service.report.RunComparison;
import io.redliner.sla.Judgement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The words that the document allows are those of the Java types that it describes. */
class OpenApiEnumsTest {

    private static final String SCHEMAS = "/components/schemas/";

    private static final String PLAN = SCHEMAS + "PlanDocument/properties/spec/properties/";

    private final JsonNode document = JsonMapper.shared().readTree(OpenApiDocument.load().json());

    /** Values without a Java enum are written out: there are two sides, two phases of a series, and four ways to select. */
    private static Map<String, List<String>> meant() throws ClassNotFoundException {
        Map<String, List<String>> meant = new TreeMap<>();
        meant.put(SCHEMAS + "ValidityCheck/properties/verdict", names(SearchConclusion.Validity.class));
        meant.put(SCHEMAS + "Certainty/properties/level", names(Certainty.Level.class));
        meant.put(SCHEMAS + "RunSpan/properties/certainty", names(Certainty.Level.class));
        meant.put("/paths/~1api~1v1~1series/get/parameters/0/schema", List.of("Finished", "Running"));
        meant.put(SCHEMAS + "Outcome", names(RunOutcome.class));
        meant.put(SCHEMAS + "Phase", words(RunPhase.class, RunPhase::wireName));
        meant.put(SCHEMAS + "ExitCode", words(ExitCode.class, code -> Integer.toString(code.code())));
        meant.put(SCHEMAS + "Pause/properties/traffic", names(PauseStatus.Traffic.class));
        meant.put(SCHEMAS + "Limit/properties/code",
                List.of(StopCode.FREEZE.wireName(), StopCode.MAX_DURATION.wireName()));
        meant.put(SCHEMAS + "KillSwitch/properties/traffic/properties/state", names(KillSwitchEffect.Traffic.class));
        meant.put(SCHEMAS + "Restore/properties/traffic", names(RestoreProof.Traffic.class));
        meant.put(SCHEMAS + "Restore/properties/proof", names(RestoreProof.Proof.class));
        meant.put(SCHEMAS + "RuleAnswer/properties/judgement", names(Judgement.class));
        meant.put(SCHEMAS + "Window/properties/judgement", names(Judgement.class));
        meant.put(SCHEMAS + "Rule/properties/judgement", names(Judgement.class));
        meant.put(SCHEMAS + "ReportClaim/properties/verdict", names(ReportCheck.Verdict.class));
        meant.put(SCHEMAS + "Change/properties/significance", names(CapacityChange.Significance.class));
        meant.put(SCHEMAS + "PreviousCapacity/properties/significance", names(CapacityChange.Significance.class));
        meant.put(SCHEMAS + "Headroom/properties/answer", names(Headroom.Answer.class));
        meant.put(SCHEMAS + "Provision/properties/verdict", names(FleetAssessment.Verdict.class));
        meant.put(SCHEMAS + "TokenOrder/properties/role", words(Role.class, Role::wireName));
        meant.put(SCHEMAS + "RegressionSection/properties/compare", small(ProfileSettings.Regression.Compare.class));
        meant.put(PLAN + "profile", small(Profile.class));
        meant.put(SCHEMAS + "SutChoice/anyOf/1/properties/select", List.of("label", "newest", "previous", "random"));
        meant.put(SCHEMAS + "Choice/properties/side", List.of("new", "old"));
        meant.put("/paths/~1api~1v1~1runs~1{id}~1report/get/parameters/1/schema",
                small(hidden("io.redliner.controller.service.web.ReportResource$ReportFormat")));
        meant.put("/paths/~1api~1v1~1runs~1{id}~1comparison/get/parameters/2/schema", List.of("html", "json"));
        meant.put(SCHEMAS + "Difference/properties/verdict", names(RunComparison.Difference.Verdict.class));
        meant.put("/paths/~1api~1v1~1notifications/get/parameters/0/schema",
                small(hidden("io.redliner.controller.service.persistence.NotificationQueries$State")));
        return meant;
    }

    private static <E extends Enum<E>> List<String> words(Class<E> type, Function<E, String> word) {
        return Arrays.stream(type.getEnumConstants()).map(word).sorted().toList();
    }

    private static List<String> names(Class<?> type) {
        return Arrays.stream(type.getEnumConstants()).map(Object::toString).sorted().toList();
    }

    private static List<String> small(Class<?> type) {
        return names(type).stream().map(name -> name.toLowerCase(Locale.ROOT).replace('_', '-')).sorted().toList();
    }

    /** A type that only its own package sees. */
    private static Class<?> hidden(String name) throws ClassNotFoundException {
        return Class.forName(name);
    }

    private static void collect(String path, JsonNode node, Map<String, List<String>> found) {
        if (node.path("enum").isArray()) {
            found.put(path, node.get("enum").valueStream().map(JsonNode::asString).sorted().toList());
        }
        node.forEachEntry((name, value) -> collect(path + "/" + name.replace("/", "~1"), value, found));
        for (int number = 0; node.isArray() && number < node.size(); number++) {
            collect(path + "/" + number, node.get(number), found);
        }
    }

    @Test
    void every_enum_of_the_document_has_the_words_of_the_type_that_it_describes() throws ClassNotFoundException {
        Map<String, List<String>> found = new TreeMap<>();
        collect("", document, found);

        assertThat(found).isEqualTo(meant());
    }

    @Test
    void no_description_is_the_beginning_of_a_javadoc_tag() {
        assertThat(document.findValuesAsString("description")).isNotEmpty()
                .allSatisfy(text -> assertThat(text).doesNotEndWith("{").doesNotContain("/**", "{@", "<pre>"));
    }
}
