// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires what is kept in PostgreSQL. */
@Configuration(proxyBeanMethods = false)
class JdbcConfiguration {

    @Bean
    RunJson runJson() {
        return new RunJson();
    }

    @Bean
    RunStore runStore(JdbcClient jdbc, PlatformTransactionManager transactions, RunJson json) {
        return new RunStore(jdbc, new TransactionTemplate(transactions), json);
    }

    @Bean
    RunQueries runQueries(JdbcClient jdbc, RunJson json) {
        return new RunQueries(jdbc, json);
    }

    @Bean
    CapacityQueries capacityQueries(JdbcClient jdbc, RunJson json) {
        return new CapacityQueries(jdbc, json);
    }

    @Bean
    PlanStore planStore(JdbcClient jdbc, PlatformTransactionManager transactions, List<PlanListener> listeners) {
        return new PlanStore(jdbc, new TransactionTemplate(transactions), listeners);
    }
}
