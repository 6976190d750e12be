// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.time.LocalDateTime;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RestController;

@AnalyzeClasses(packages = "io.redliner.controller", importOptions = {
    ImportOption.DoNotIncludeTests.class, ArchitectureTest.WithoutTestJars.class})
@Execution(ExecutionMode.CONCURRENT)
class ArchitectureTest {

    static final class WithoutTestJars implements ImportOption {

        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    private static final String ROOM = "io.redliner.controller";

    /** That it knows nothing of the service is held by the modules. */
    @ArchTest
    static final ArchRule THE_CORE_IS_PLAIN_JAVA = noClasses().that()
            .resideInAnyPackage(ROOM + ".core..", ROOM + ".plan")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "org.apache.kafka..", "java.sql..", "javax.sql..",
                    "com.google.protobuf..", "io.redliner.contract.v1..", "io.micrometer..",
                    "jakarta..", "biweekly..", "com.github.kagkarlsson..", ROOM + ".plan.yaml");

    /** What is decided knows nothing of how it is stored; replaying a journal takes both. */
    @ArchTest
    static final ArchRule ONLY_THE_REPLAY_READS_AND_WRITES_JSON = noClasses().that()
            .resideInAnyPackage(ROOM + ".core..", ROOM + ".plan")
            .and()
            .resideOutsideOfPackage(ROOM + ".core.replay")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("tools.jackson..", "com.fasterxml.jackson..", ROOM + ".core.replay");

    @ArchTest
    static final ArchRule MESSAGES_STAY_IN_KAFKA = noClasses().that()
            .resideOutsideOfPackage(ROOM + ".service.kafka")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.redliner.contract", "io.redliner.contract.v1..", "org.apache.kafka..",
                    "com.google.protobuf..");

    @ArchTest
    static final ArchRule REST_IS_ONLY_IN_WEB = classes().that()
            .areAnnotatedWith(RestController.class)
            .or()
            .areAnnotatedWith(Controller.class)
            .should()
            .resideInAPackage(ROOM + ".service.web");

    /** Configurations hand connections on. */
    @ArchTest
    static final ArchRule STATEMENTS_ARE_ONLY_IN_PERSISTENCE = noClasses().that()
            .resideOutsideOfPackage(ROOM + ".service.persistence")
            .and()
            .areNotAnnotatedWith(Configuration.class)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework.jdbc..", "java.sql..");

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
