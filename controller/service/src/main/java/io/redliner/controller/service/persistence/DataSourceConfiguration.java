// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the connections to PostgreSQL. */
@Configuration(proxyBeanMethods = false)
class DataSourceConfiguration {

    /** Beside those of the threads that drive runs: for their supervisor, and for two requests that stop runs. */
    private static final int RESERVED = 3;

    @Bean(defaultCandidate = false)
    @ConfigurationProperties("spring.datasource.hikari")
    HikariDataSource sharedDataSource(DataSourceProperties properties) {
        HikariDataSource shared = properties.initializeDataSourceBuilder().type(HikariDataSource.class).build();
        shared.setPoolName("shared");
        return shared;
    }

    /** Returns a pool with the settings of the other one, but for its size. */
    @Bean(defaultCandidate = false)
    HikariDataSource reservedDataSource(@Qualifier("sharedDataSource") HikariDataSource shared,
            @Value("${redliner.controller.driver.threads:2}") int threads) {
        HikariConfig settings = new HikariConfig();
        shared.copyStateTo(settings);
        settings.setPoolName("reserved");
        settings.setMaximumPoolSize(threads + RESERVED);
        return new HikariDataSource(settings);
    }

    @Bean
    BulkheadDataSource dataSource(@Qualifier("sharedDataSource") HikariDataSource shared,
            @Qualifier("reservedDataSource") HikariDataSource reserved) {
        return new BulkheadDataSource(shared, reserved);
    }
}
