// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BusyMachineTest {

    private static final String FOUND = "\"result\": {\"capacity\": 281}";

    private static JsonNode run(String members) {
        return JsonMapper.shared().readTree("{" + members + "}");
    }

    private static String host(String verdict) {
        return checked("host", verdict, "30 % was stolen");
    }

    private static String checked(String name, String verdict, String words) {
        return "\"validity\": [{\"name\": \"latency-data\", \"verdict\": \"DOUBTFUL\", \"words\": \"no\"}, {\"name\": \""
                + name + "\", \"verdict\": \"" + verdict + "\", \"words\": \"" + words + "\"}]";
    }

    /** A run that ended so beside a parallel compile was not tried again. */
    @Test
    void a_run_without_a_result_whose_peers_were_slow_together_is_the_machines_fault() {
        for (String name : List.of("noise", "wander")) {
            String doubtful = checked(name, "DOUBTFUL",
                    "51 % of the time was left out, as all peers were slow then or shortly before");

            assertThat(DemoRun.BusyMachine.objection(run(doubtful), 0.5))
                    .contains("51 % of the time was left out, as all peers were slow then or shortly before");
            assertThat(DemoRun.BusyMachine.objection(run(FOUND + ", " + doubtful), 0.5)).isEmpty();
            assertThat(DemoRun.BusyMachine.objection(run(checked(name, "OK", "")), 0.5)).isEmpty();
        }
    }

    @Test
    void a_run_without_a_result_on_a_machine_without_time_left_is_the_machines_fault() {
        assertThat(DemoRun.BusyMachine.objection(run(""), 0.99))
                .contains("its processors were busy for 99 % of the time");
        assertThat(DemoRun.BusyMachine.objection(run(""), 0.8)).isEmpty();
        assertThat(DemoRun.BusyMachine.objection(run(""), -1)).as("unknown").isEmpty();
    }

    @Test
    void a_result_is_doubted_only_by_the_check_of_the_host() {
        assertThat(DemoRun.BusyMachine.objection(run(FOUND), 0.99)).isEmpty();
        assertThat(DemoRun.BusyMachine.objection(run(FOUND + ", " + host("OK")), 0.99)).isEmpty();
        assertThat(DemoRun.BusyMachine.objection(run(FOUND + ", " + host("DOUBTFUL")), 0.5))
                .contains("30 % was stolen");
    }
}
