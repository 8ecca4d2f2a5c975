CREATE TABLE branches (bid integer NOT NULL, bbalance integer NOT NULL, filler char(88))
  WITH (fillfactor = 100);
CREATE TABLE tellers (tid integer NOT NULL, bid integer NOT NULL, tbalance integer NOT NULL, filler char(84))
  WITH (fillfactor = 100);
CREATE TABLE accounts (aid integer NOT NULL, bid integer NOT NULL, abalance integer NOT NULL, filler char(84) NOT NULL)
  WITH (fillfactor = 100);
CREATE TABLE history (tid integer NOT NULL, bid integer NOT NULL, aid integer NOT NULL, delta integer NOT NULL,
  mtime timestamp NOT NULL, filler char(22));
