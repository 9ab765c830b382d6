CREATE TABLE "performance_samples" (
  "at" timestamptz NOT NULL,
  "process" varchar(100) NOT NULL,
  "role" varchar(10) NOT NULL,
  "seconds" double precision NOT NULL,
  "requests" integer NOT NULL,
  "request_ms" double precision NOT NULL,
  "failed" integer NOT NULL,
  "refused" integer NOT NULL,
  "transactions" integer NOT NULL,
  "queries" integer NOT NULL,
  "query_ms" double precision NOT NULL,
  "row_count" bigint NOT NULL,
  "cpu_ms" double precision NOT NULL,
  "event_loop_delay_ms" double precision NOT NULL,
  "memory_mb" double precision NOT NULL,
  "streams" integer NOT NULL,
  CONSTRAINT "performance_samples_pkey" PRIMARY KEY ("at", "process")
);
