// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.time.LocalDateTime;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@AnalyzeClasses(packages = "io.redliner.controller", importOptions = ImportOption.DoNotIncludeTests.class)
@Execution(ExecutionMode.CONCURRENT)
class ArchitectureTest {

    private static final String ROOM = "io.redliner.controller";

    @ArchTest
    static final ArchRule THE_HEART_IS_PLAIN_JAVA = noClasses().that()
            .resideInAnyPackage(ROOM + ".run", ROOM + ".plan", ROOM + ".catalog", ROOM + ".safety", ROOM + ".replay",
                    ROOM + ".capacity", ROOM + ".sizing", ROOM + ".schedule", ROOM + ".profile",
                    ROOM + ".selection", ROOM + ".timeline")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "org.apache.kafka..", "java.sql..", "javax.sql..",
                    "com.google.protobuf..", "io.redliner.contract", "io.redliner.contract.v1..",
                    "tools.jackson..", "io.micrometer..",
                    "jakarta..", "biweekly..", "com.github.kagkarlsson..");

    @ArchTest
    static final ArchRule THE_HEART_KNOWS_NO_ADAPTER = noClasses().that()
            .resideInAnyPackage(ROOM + ".run", ROOM + ".plan", ROOM + ".catalog", ROOM + ".safety", ROOM + ".replay",
                    ROOM + ".capacity", ROOM + ".sizing", ROOM + ".schedule", ROOM + ".profile",
                    ROOM + ".selection", ROOM + ".timeline")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOM + ".plan.yaml", ROOM + ".jdbc", ROOM + ".messaging", ROOM + ".driver",
                    ROOM + ".api", ROOM + ".answers", ROOM + ".report", ROOM + ".schedule.calendar",
                    ROOM + ".schedule.firing", ROOM + ".deployment", ROOM + ".folder");

    @ArchTest
    static final ArchRule MESSAGES_STAY_IN_MESSAGING = noClasses().that()
            .resideOutsideOfPackage(ROOM + ".messaging")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.redliner.contract", "io.redliner.contract.v1..", "org.apache.kafka..",
                    "com.google.protobuf..");

    @ArchTest
    static final ArchRule NOBODY_READS_THE_WALL_CLOCK = noClasses().should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(LocalDateTime.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");

    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CYCLES = slices().matching(ROOM + ".(**)").should().beFreeOfCycles();
}
