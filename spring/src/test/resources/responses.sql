create table unseen_responses (id char(64) primary key, expires bigint not null, response blob not null)
