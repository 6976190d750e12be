// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BusyMachineTest {

    private static final String FOUND = "\"result\": {\"capacity\": 281}";

    private static JsonNode run(String members) {
        return JsonMapper.shared().readTree("{" + members + "}");
    }

    private static String host(String verdict) {
        return "\"validity\": [{\"name\": \"latency-data\", \"verdict\": \"DOUBTFUL\", \"words\": \"no\"}, "
                + "{\"name\": \"host\", \"verdict\": \"" + verdict + "\", \"words\": \"30 % was stolen\"}]";
    }

    @Test
    void a_run_without_a_result_on_a_machine_without_time_left_is_the_machines_fault() {
        assertThat(BusyMachine.objection(run(""), 0.99)).contains("its processors were busy for 99 % of the time");
        assertThat(BusyMachine.objection(run(""), 0.8)).isEmpty();
        assertThat(BusyMachine.objection(run(""), -1)).as("unknown").isEmpty();
    }

    @Test
    void a_result_is_doubted_only_by_the_check_of_the_host() {
        assertThat(BusyMachine.objection(run(FOUND), 0.99)).isEmpty();
        assertThat(BusyMachine.objection(run(FOUND + ", " + host("OK")), 0.99)).isEmpty();
        assertThat(BusyMachine.objection(run(FOUND + ", " + host("DOUBTFUL")), 0.5)).contains("30 % was stolen");
    }
}
